import ArgumentParser
import FetcherKit
import PosterResolverCore

@main
struct PosterResolverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poster-resolver", abstract: "Find posters with Kakao image search and fetch the images.",
        discussion: FetcherOptions.discussion(
            .kakao,
            more:
                " Images come from any host of the public internet, or, beside a KAKAO_BASE_URL on the loopback, from there."
        ))

    @OptionGroup var options: FetcherOptions

    func run() async {
        await options.run(.kakao) { try PosterResolver($0) }
    }
}
