import ArgumentParser
import DetailFetcherCore
import FetcherKit
import Kobis

@main
struct DetailFetcherCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "detail-fetcher",
        abstract: "Answers requests for the details of films, and searches for films, from KOBIS.",
        discussion: FetcherOptions.discussion(.kobis))

    @OptionGroup var options: FetcherOptions

    func run() async {
        await options.run(.kobis) { try DetailFetcher($0) }
    }
}
