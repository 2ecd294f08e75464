import ArgumentParser
import GatewayCore
import ProcessKit
import TerminalText

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: say(
            "show처럼 보이되 바뀔 때마다 다시, Ctrl-C까지.",
            "Show the chart of a day, again whenever it changes, until Ctrl-C."),
        discussion: """
            EXAMPLES
              gateway watch                    \(say("서울의 어제, 그곳의 자정이 지나면 다음 날", "yesterday in Seoul, and after midnight there the next day"))
              gateway watch 2022-01-05 --wide
              gateway watch --json             \(say("매번 한 줄", "a line each time"))

            \(say("KOBIS가 수치를 고치면 바뀌며, chart.revised 이벤트로 알려집니다.", "It changes when KOBIS corrects its figures; the event chart.revised reports that."))
            """)
    @Argument(
        help: .words(
            "show와 같은 날짜. 기본값: 그때그때 서울의 어제.",
            "The day, as show takes it; default: yesterday in Seoul, whichever that is."))
    var date: String?
    @Option(help: .words("영화 수, 1부터 10까지.", "How many films, 1 to 10."))
    var top = 10
    @OptionGroup var view: ViewOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...10).contains(top) else { throw ValidationError.usage("--top은 1부터 10까지입니다.", "--top takes 1 to 10.") }
        guard !policy.refresh, !policy.offline, !policy.strict else {
            throw ValidationError.usage(
                "watch는 스스로 다시 봅니다. --refresh, --offline, --strict 없이 쓰세요.",
                "watch looks again by itself: without --refresh, --offline and --strict.")
        }
    }

    func run() async {
        await common.answer(policy, view: view.view) { commands in
            let day = try date.map { try DateArgument.resolve($0, now: WallClock.system.now()) }
            let terminal = commands.terminal
            let screen = WatchScreen(
                columns: { terminal?.size?.columns }, hasReader: { LineOutput.hasReader },
                show: { answer in
                    if terminal != nil {
                        _ = try LineOutput.write(Array("\u{1B}[H\u{1B}[J".utf8), toStandardError: false)
                    }
                    try answer.print()
                    return LineOutput.hasReader
                })
            try await commands.watch(day, top: top, timeout: .seconds(common.timeout), on: screen)
            return .nothing
        }
    }
}
