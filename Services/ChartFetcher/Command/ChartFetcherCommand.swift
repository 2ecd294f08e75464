import ArgumentParser
import ChartFetcherCore
import CommandKit
import FetcherKit
import Kobis
import ProcessKit
import ServiceKit

@main
struct ChartFetcherCommand: ServiceCommand {
    static func main() async { await runProcess() }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "chart-fetcher",
            abstract: say("KOBIS에서 일별·주간 차트 가져오기", "Fetch daily and weekly charts from KOBIS."),
            discussion: FetcherOptions.discussion(.kobis))
    }

    @OptionGroup var options: FetcherOptions

    func run(_ environment: Environment) async throws -> Int32 {
        try await options.run(.kobis, environment) { try ChartFetcher($0) }
    }
}
