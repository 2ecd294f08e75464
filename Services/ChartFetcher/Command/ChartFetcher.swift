import ArgumentParser
import ChartFetcherCore
import FetcherKit
import ProcessKit
import ServiceKit
import Upstream

@main
struct ChartFetcherCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chart-fetcher", abstract: "Answers requests for charts of days and weeks from KOBIS.",
        discussion: """
            Needs KOBIS_API_KEY (or KOBIS_API_KEY_FILE). KOBIS_BASE_URL asks another host. After \
            BOXOFFICE_BREAKER_FAILURES (10) failed calls in a row it leaves the host alone for a while. KOBIS_DAILY_LIMIT \
            is how many calls a day the key has. TERM drains it.
            """)

    @Option(help: "The broker's endpoint; default: the run folder's.")
    var broker: String?

    @Option(
        help: "Folder to keep the upstream's answers in, for demo-upstream --recordings; default: $BOXOFFICE_RECORD.")
    var record: String?

    func run() async {
        await ServiceProcess.main { environment in
            try await runFetcher(broker: broker, record: record, environment: environment) { recorder in
                try ChartFetcher(
                    key: environment.apiKey("KOBIS_API_KEY"),
                    baseURL: environment["KOBIS_BASE_URL"] ?? KobisClient.defaultBaseURL,
                    dailyLimit: environment.callLimit("KOBIS_DAILY_LIMIT", default: KobisClient.dailyLimit),
                    recorder: recorder)
            }
            return ExitStatus.complete
        }
    }
}
