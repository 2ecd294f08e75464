import ArgumentParser
import FetcherKit
import PosterResolverCore
import ProcessKit
import ServiceKit
import Upstream

@main
struct PosterResolverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "poster-resolver", abstract: "Finds posters by Kakao image search, and fetches their images.",
        discussion: """
            Needs KAKAO_REST_API_KEY (or KAKAO_REST_API_KEY_FILE). KAKAO_BASE_URL asks another host. After \
            BOXOFFICE_BREAKER_FAILURES (10) failed calls in a row it leaves the host alone for a while. KAKAO_DAILY_LIMIT \
            is how many calls a day the key has. Images come from wherever the search has found them on the public \
            internet, or beside a KAKAO_BASE_URL on the loopback from there. TERM drains it.
            """)

    @Option(help: "The broker's endpoint; default: the run folder's.")
    var broker: String?

    @Option(
        help: "Folder to keep the upstream's answers in, for demo-upstream --recordings; default: $BOXOFFICE_RECORD.")
    var record: String?

    func run() async {
        await ServiceProcess.main { environment in
            try await runFetcher(broker: broker, record: record, environment: environment) { recorder in
                try PosterResolver(
                    key: environment.apiKey("KAKAO_REST_API_KEY"),
                    baseURL: environment["KAKAO_BASE_URL"] ?? KakaoClient.defaultBaseURL,
                    dailyLimit: environment.callLimit("KAKAO_DAILY_LIMIT", default: KakaoClient.dailyLimit),
                    recorder: recorder)
            }
            return ExitStatus.complete
        }
    }
}
