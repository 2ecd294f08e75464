import ArchiveCore
import ArgumentParser
import Contracts
import ProcessKit
import ServiceKit

@main
struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Archive every chart and answer questions about ranges of days.",
        discussion: """
            Its database lies in $BOXOFFICE_DATA_DIR, else $XDG_DATA_HOME/boxoffice, else ~/.local/share/boxoffice. \
            BOXOFFICE_ARCHIVE_LOOKS=0 keeps it from fetching charts that nobody asks for. TERM drains it.
            """)

    @OptionGroup var options: ServiceOptions

    func run() async {
        await ServiceProcess.main { environment in
            let process = try ServiceProcess(name: ServiceName.archive, environment: environment)
            let folder = try process.environment.dataFolder()
            let isLooking = try process.environment.number("BOXOFFICE_ARCHIVE_LOOKS", default: 1, in: 0...1) == 1
            try await process.run(options) { bus in
                [ArchiveService(bus: bus, folder: folder, isLooking: isLooking, logger: process.logger)]
            }
            return ExitStatus.complete
        }
    }
}
