import ArgumentParser
import Assembly
import CommandKit
import Contracts
import Domain
import Envelope
import Localization
import ProcessKit

struct HistoryCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "history",
            abstract: say("차트가 정정된 내역 출력", "Show how a chart was corrected."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) history 2022-01-05
                  \(Installation.gateway) history -7d --weekend --json
                  \(Installation.gateway) show 2022-01-05 --as-of '2022-01-06 08:00'   \(say("그때의 차트", "the chart as it was then"))
                """)
    }

    @Argument(
        help: .words("날짜 (기본값: 서울 기준 어제)", "Date (default: yesterday in Seoul)."),
        completion: Completions.days)
    var date: String?
    @Flag(help: .words("차트 종류 (기본값: 일별)", "Kind of chart (default: daily)."))
    var span: ChartSpan?
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        let day = try DateArgument.resolve(date, now: context.clock.now())
        let selection = ChartSelection(span?.kind ?? .daily, around: day).lastComplete(on: day, isGiven: date != nil)
        return try await common.answer(in: context, policy) { try await $0.history(selection) }
    }
}

/// The moment whose charts are meant.
struct AsOfOption: ParsableArguments {
    @Option(
        help: .words(
            "그 시점의 차트, 예: '2022-01-06 08:00'(서울 기준)",
            "Show the chart as archived at this time, e.g. '2022-01-06 08:00' (Seoul time).",
            valueName: "moment"))
    var asOf: String?

    func validate() throws {
        guard asOf.map({ Moment($0) != nil }) ?? true else {
            throw ValidationError.usage(
                "--as-of에는 '2022-01-06 08:00', 2022-01-06, 2022-01-05T23:00Z 같은 시점을 쓰세요.",
                "--as-of takes a moment such as '2022-01-06 08:00', 2022-01-06 or 2022-01-05T23:00Z.")
        }
    }

    /// Milliseconds since 1970.
    var moment: Int64? { asOf.flatMap { Moment($0)?.milliseconds } }
}

extension GatewayCommands {
    /// The editions of a chart, with what changed from one to the next.
    func history(_ selection: ChartSelection) async throws -> Answer {
        let reply = try await query.editions(selection.kind, of: selection.days.lowerBound)
        guard !reply.editions.isEmpty else {
            return presentation.failure(.notArchived(selection, reply.failure))
        }
        let (notes, exitStatus) = presentation.ending(nil, isComplete: reply.state.isFinal)
        if presentation.isJSON {
            return Answer(
                output: try AnswerJSON.history(reply, selection), notes: notes, exitStatus: exitStatus)
        }
        let lines = HistoryText(presentation).lines(reply, selection)
        return Answer(lines: lines, notes: notes, exitStatus: exitStatus)
    }
}

extension Failure {
    fileprivate static func notArchived(_ selection: ChartSelection, _ code: FailureCode?) -> Failure {
        Failure(
            code ?? .notFound,
            LocalizedText(
                ko: "아카이브에 \(selection) 차트가 없습니다.", en: "The archive has no chart of \(selection)."),
            isRetryable: code != nil)
    }
}
