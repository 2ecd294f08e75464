import ArgumentParser
import ChartFetcherCore
import FetcherKit
import Kobis

@main
struct ChartFetcherCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chart-fetcher", abstract: "Fetch daily and weekly charts from KOBIS.",
        discussion: FetcherOptions.discussion(.kobis))

    @OptionGroup var options: FetcherOptions

    func run() async {
        await options.run(.kobis) { try ChartFetcher($0) }
    }
}
