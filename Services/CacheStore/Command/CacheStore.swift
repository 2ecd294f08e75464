import ArgumentParser
import CacheStoreCore
import CommandKit
import Contracts
import ProcessKit
import ServiceKit

@main
struct CacheStoreCommand: ServiceCommand {
    static func main() async { await runProcess() }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "cache-store",
            abstract: say(
                "가져온 데이터를 메모리와 SQLite에 캐시, 중복 호출 방지, API 호출 수 집계",
                "Cache fetched data in memory and SQLite, prevent duplicate calls, count API calls."),
            discussion: say(
                """
                데이터베이스 위치: $BOXOFFICE_CACHE_DIR, $XDG_CACHE_HOME/boxoffice,
                ~/.cache/boxoffice 중 처음으로 설정된 곳
                BOXOFFICE_PERSIST_IMAGES=1: 포스터 이미지도 저장
                SIGTERM을 받으면 처리 중인 요청을 마치고 종료합니다.
                """,
                """
                Its databases lie in $BOXOFFICE_CACHE_DIR, else $XDG_CACHE_HOME/boxoffice, else ~/.cache/boxoffice. \
                BOXOFFICE_PERSIST_IMAGES=1 keeps the images of posters there, too. On SIGTERM it finishes its requests and ends.
                """))
    }

    @OptionGroup var options: ServiceOptions

    func run(_ environment: Environment) async throws -> Int32 {
        let process = try ServiceProcess(name: ServiceName.cacheStore, environment: environment)
        let folder = try process.environment.cacheFolder()
        let keepsImages = try process.environment.flag("BOXOFFICE_PERSIST_IMAGES")
        try await process.run(options) { bus in
            [CacheStoreService(bus: bus, folder: folder, keepsImages: keepsImages, logger: process.logger)]
        }
        return ExitStatus.complete
    }
}
