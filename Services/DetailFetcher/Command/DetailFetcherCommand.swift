import ArgumentParser
import DetailFetcherCore
import FetcherKit
import Kobis

@main
struct DetailFetcherCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detail-fetcher",
        abstract: "Fetch film details and search results from KOBIS.",
        discussion: FetcherOptions.discussion(.kobis))

    @OptionGroup var options: FetcherOptions

    func run() async {
        await options.run(.kobis) { try DetailFetcher($0) }
    }
}
