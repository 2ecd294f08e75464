import ArgumentParser
import CacheStoreCore
import Contracts
import ProcessKit
import ServiceKit

@main
struct CacheStoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache-store",
        abstract: "Cache fetched data in memory and SQLite, grant fetch leases, count API calls.",
        discussion: """
            Its databases lie in $BOXOFFICE_CACHE_DIR, else $XDG_CACHE_HOME/boxoffice, else ~/.cache/boxoffice. \
            BOXOFFICE_PERSIST_IMAGES=1 keeps the images of posters there, too. TERM drains it.
            """)

    @OptionGroup var options: ServiceOptions

    func run() async {
        await ServiceProcess.main { environment in
            let process = try ServiceProcess(name: ServiceName.cacheStore, environment: environment)
            let folder = try process.environment.cacheFolder()
            let keepsImages = try process.environment.flag("BOXOFFICE_PERSIST_IMAGES")
            try await process.run(options) { bus in
                [CacheStoreService(bus: bus, folder: folder, keepsImages: keepsImages, logger: process.logger)]
            }
            return ExitStatus.complete
        }
    }
}
