import ArchiveCore
import ArgumentParser
import CommandKit
import Contracts
import ProcessKit
import ServiceKit

@main
struct ArchiveCommand: ServiceCommand {
    static func main() async { await runProcess() }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "archive",
            abstract: say(
                "차트를 모두 보관하고 기간에 관한 질의에 응답", "Archive every chart and answer questions about ranges of days."),
            discussion: say(
                """
                데이터베이스 위치: $BOXOFFICE_DATA_DIR, $XDG_DATA_HOME/boxoffice,
                ~/.local/share/boxoffice 중 처음으로 설정된 곳
                BOXOFFICE_ARCHIVE_LOOKS=0: 아무도 요청하지 않은 차트는 가져오지 않음
                SIGTERM을 받으면 처리 중인 요청을 마치고 종료합니다.
                """,
                """
                Its database is in $BOXOFFICE_DATA_DIR, else $XDG_DATA_HOME/boxoffice, else ~/.local/share/boxoffice. \
                BOXOFFICE_ARCHIVE_LOOKS=0 keeps it from fetching charts that nobody asks for. On SIGTERM it finishes its requests and ends.
                """))
    }

    @OptionGroup var options: ServiceOptions

    func run(_ environment: Environment) async throws -> Int32 {
        let process = try ServiceProcess(name: ServiceName.archive, environment: environment)
        let folder = try process.environment.dataFolder()
        let isLooking = try process.environment.number("BOXOFFICE_ARCHIVE_LOOKS", default: 1, in: 0...1) == 1
        try await process.run(options) { bus in
            [ArchiveService(bus: bus, folder: folder, isLooking: isLooking, logger: process.logger)]
        }
        return ExitStatus.complete
    }
}
