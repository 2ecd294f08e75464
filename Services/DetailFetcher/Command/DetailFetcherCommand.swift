import ArgumentParser
import CommandKit
import DetailFetcherCore
import FetcherKit
import Kobis
import ProcessKit
import ServiceKit

@main
struct DetailFetcherCommand: ServiceCommand {
    static func main() async { await runProcess() }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "detail-fetcher",
            abstract: say("KOBIS에서 영화 상세 정보와 검색 결과 가져오기", "Fetch film details and search results from KOBIS."),
            discussion: FetcherOptions.discussion(.kobis))
    }

    @OptionGroup var options: FetcherOptions

    func run(_ environment: Environment) async throws -> Int32 {
        try await options.run(.kobis, environment) { try DetailFetcher($0) }
    }
}
