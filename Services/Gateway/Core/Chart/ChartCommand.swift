import ArgumentParser
import CommandKit
import Domain
import ProcessKit
import Records

struct ChartCommand: FieldCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "chart",
            abstract: say("상세 정보 없이 차트만 출력", "Show charts without details."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) chart 2022-01-05
                  \(Installation.gateway) chart --weekend --area \(say("서울", "Seoul"))
                  \(Installation.gateway) chart --nation korean --diversity diverse
                  \(Installation.gateway) chart 2022-01 --format csv
                  \(Installation.gateway) chart 2022-W01..2022-W04 --weekend
                """)
    }
    static var fieldNames: [String] { FilmRecord.chartFields.map(\.name) }

    @Argument(
        help: .words(
            "날짜나 기간, 예: 2022-01, A..B (기본값: 어제)",
            "Date or range, e.g. 2022-01-05, 2022-01, 2022-W01, A..B, -30d.. (default: yesterday in Seoul)."
        ),
        completion: Completions.days)
    var date: String?
    @OptionGroup var count: TopOption
    @OptionGroup var filter: ChartOptions
    @OptionGroup var calls: CallsOption
    @OptionGroup var moment: AsOfOption
    @OptionGroup var format: FormatOptions
    @OptionGroup var view: ViewOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        if let days = try DateArgument.resolveRange(date, now: context.clock.now()), !isLastWeekend {
            return try await range(days, in: context)
        }
        if moment.asOf != nil { _ = try filter.kindForRange }
        let selection = try selection(now: context.clock.now())
        return try await common.answer(in: context, policy, format: format, view: view.view) {
            try await $0.chart(selection, top: count.top, asOf: moment.moment)
        }
    }

    /// `last-weekend` is one chart, that of its three days, unless charts of another kind are asked for.
    private var isLastWeekend: Bool {
        (filter.span ?? .weekend) == .weekend && date.map(DayRangeParser.isLastWeekend) == true
    }

    private func selection(now: Double) throws -> ChartSelection {
        guard isLastWeekend else {
            return try filter.selection(around: DateArgument.resolve(date, now: now), isGiven: date != nil)
        }
        var weekend = filter
        weekend.span = .weekend
        return try weekend.selection(around: DateArgument.resolve(nil, now: now), isGiven: false)
    }

    private func range(_ days: ClosedRange<Day>, in context: CommandContext) async throws -> Answer {
        let kind = try filter.kindForRange
        let output = RangeOutput(isImmediate: context.ownsProcess)
        return try await common.answer(in: context, policy, format: format, view: view.view, timeLimit: .seconds(30)) {
            try await $0.charts(kind, in: days, top: count.top, calls: calls.calls, asOf: moment.moment, to: output)
        }
    }
}

/// How much a question may have fetched.
struct CallsOption: ParsableArguments {
    private static let allowed = 0...1000

    @Option(
        help: .words(
            "가져올 누락 차트의 최대 개수, 0~1000",
            "Fetch at most this many missing charts, 0 to 1000."))
    var calls = 60

    func validate() throws {
        guard Self.allowed.contains(calls) else {
            throw ValidationError.usage("--calls는 0부터 1000까지입니다.", "--calls takes 0 to 1000.")
        }
    }
}
