import ArgumentParser
import Assembly
import CommandKit
import Domain
import Envelope
import EventLog
import EventText
import Localization
import ProcessKit
import TerminalText

struct WatchCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "watch",
            abstract: say(
                "차트가 변경될 때마다 다시 출력(Ctrl-C로 종료)",
                "Show a day's chart and refresh it after each change, until Ctrl-C."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) watch                    \(say("어제 차트(한국 시각 자정에 다음 날로)", "yesterday in Seoul, even past midnight"))
                  \(Installation.gateway) watch 2022-01-05 --wide
                  \(Installation.gateway) watch --json             \(say("변경될 때마다 JSON 한 줄 출력", "a line each time"))
                  \(Installation.gateway) watch --brief            \(say("어제의 차트가 발표되면 요약 출력", "a brief when yesterday's chart is published"))

                \(say("KOBIS가 수치를 정정하면 다시 출력합니다(chart.revised 이벤트).", "The chart changes when KOBIS corrects its figures (event: chart.revised)."))
                """)
    }

    @Argument(
        help: .words(
            "날짜 (기본값: 서울 기준 어제, 자정에 바뀜)",
            "Date (default: yesterday in Seoul, which changes at midnight)."),
        completion: Completions.days)
    var date: String?
    @Flag(
        help: .words(
            "차트가 발표될 때마다 세 문장으로 요약", "Print a brief of three sentences when a day's chart is published."))
    var brief = false
    @OptionGroup var count: TopOption
    @OptionGroup var view: ViewOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !policy.refresh, !policy.offline, !policy.strict else {
            throw ValidationError.usage(
                "watch는 스스로 다시 봅니다. --refresh, --offline, --strict 없이 쓰세요.",
                "watch looks again by itself: without --refresh, --offline and --strict.")
        }
    }

    func answer(in context: CommandContext) async throws -> Answer {
        let day = try date.map { try DateArgument.resolve($0, now: context.clock.now()) }
        return try await common.answer(in: context, policy, view: view.view) { commands in
            let terminal = commands.terminal
            let screen = WatchScreen(
                columns: { terminal?.size?.columns }, hasReader: { LineOutput.hasReader },
                show: { answer in
                    // Briefs follow each other; a chart replaces the one before.
                    if terminal != nil, !brief {
                        _ = try LineOutput.write(Array("\u{1B}[H\u{1B}[J".utf8), toStandardError: false)
                    }
                    try answer.print()
                    return LineOutput.hasReader
                },
                note: { LineOutput.note("\(Installation.gateway): \($0)\n") })
            if brief {
                try await commands.watchBriefs(day, timeout: common.timeLimit, on: screen)
            } else {
                try await commands.watch(day, top: count.top, timeout: common.timeLimit, on: screen)
            }
            return .nothing
        }
    }
}

/// The output of a watched chart.
struct WatchScreen: Sendable {
    /// Its current width; nil without a limit.
    let columns: @Sendable () -> Int?
    let hasReader: @Sendable () -> Bool
    /// Replaces the previous answer; returns false when the output has no reader any more.
    let show: @Sendable (Answer) throws -> Bool
    /// Reports a change of the connection in a line beside the answers.
    let note: @Sendable (String) -> Void

    init(
        columns: @escaping @Sendable () -> Int?, hasReader: @escaping @Sendable () -> Bool,
        show: @escaping @Sendable (Answer) throws -> Bool, note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.columns = columns
        self.hasReader = hasReader
        self.show = show
        self.note = note
    }
}

extension GatewayCommands {
    /// Shows a chart again when it changes or the terminal's width changes.
    ///
    /// - Parameters:
    ///   - namedDay: nil for the current yesterday in Seoul.
    ///   - timeout: the time limit of each answer.
    func watch(
        _ namedDay: Day?, top: Int, timeout: Duration, on screen: WatchScreen, clock: WallClock = .system
    ) async throws {
        let watcher = ChartWatcher(
            bus: bus, requests: query.requests, policy: query.policy, timeout: timeout, clock: clock)
        var presentation = presentation
        try await watcher.run(
            namedDay, top: top,
            reader: {
                guard screen.hasReader() else { return .disconnected }
                return screen.columns() == presentation.columns ? .waits : .needsReport
            },
            onConnection: { screen.note($0.note(presentation.language)) },
            report: { report in
                presentation.now = clock.now()
                presentation.columns = screen.columns()
                switch report.answer {
                case .success(let assembly): return try screen.show(presentation.show(assembly))
                case .failure(let failure): return try screen.show(presentation.failure(failure))
                }
            })
    }

    /// Shows a day's brief once, as soon as its chart is published; without a named day also that of each next day.
    func watchBriefs(
        _ namedDay: Day?, timeout: Duration, on screen: WatchScreen, clock: WallClock = .system
    ) async throws {
        let watcher = ChartWatcher(
            bus: bus, requests: query.requests, policy: query.policy, timeout: timeout, clock: clock)
        var presentation = presentation
        var shown: Day?
        try await watcher.run(
            namedDay, top: 1, reader: { screen.hasReader() ? .waits : .disconnected },
            onConnection: { screen.note($0.note(presentation.language)) },
            report: { report in
                guard report.day != shown else { return true }
                presentation.now = clock.now()
                presentation.columns = screen.columns()
                if case .failure(let failure) = report.answer { return try screen.show(presentation.failure(failure)) }
                shown = report.day
                let answer = try await brief(of: report.day, timeout: timeout, presentation, screen, clock)
                return try screen.show(answer) && namedDay == nil
            })
    }

    /// The brief of a chart that is there: a failure passes, and the watch does not report the chart again.
    private func brief(
        of day: Day, timeout: Duration, _ presentation: Presentation, _ screen: WatchScreen, _ clock: WallClock
    ) async throws -> Answer {
        while true {
            let query = Query(
                bus: bus, requests: query.requests, deadline: .now + timeout, policy: query.policy, clock: clock)
            do {
                let parts = try await query.brief(of: day)
                return try await self.presentation(naming: parts.brief.entries.map(\.code)).brief(parts)
            } catch let failure as Failure where failure.isRetryable && screen.hasReader() {
                screen.note(failure.message(presentation.language))
                // The pause before the next attempt.
                try await Task.sleep(for: GatewayTiming.briefPause)
            } catch let failure as Failure {
                return presentation.failure(failure)
            }
        }
    }
}
