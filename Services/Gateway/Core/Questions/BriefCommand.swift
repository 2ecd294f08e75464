import ArgumentParser
import Assembly
import CommandKit
import Domain
import Envelope
import FlatJSON
import Localization
import ProcessKit
import Records
import TerminalText
import Wording

struct BriefCommand: QuestionCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "brief",
            abstract: say("하루의 박스오피스를 세 문장으로 요약", "Sum up a day's box office in three sentences."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) brief
                  \(Installation.gateway) brief 2022-01-05 --lang en
                  \(Installation.gateway) brief --json

                \(QuestionHelp.limits)
                """)
    }
    static var fieldNames: [String] { Presentation.briefFields.map(\.name) }

    @Argument(
        help: .words("날짜 (기본값: 서울 기준 어제)", "Date (default: yesterday in Seoul)."),
        completion: Completions.days)
    var date: String?
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func question(in context: CommandContext) throws -> @Sendable (GatewayCommands) async throws -> Answer {
        let day = try DateArgument.resolve(date, now: context.clock.now())
        return { try await $0.brief(day) }
    }
}

extension GatewayCommands {
    func brief(_ day: Day) async throws -> Answer {
        try presentation.check(Presentation.briefFields)
        let parts = try await query.brief(of: day)
        return try await presentation(naming: parts.brief.entries.map(\.code)).brief(parts)
    }
}

extension Presentation {
    static let briefFields: [RecordField<Query.BriefParts>] = [
        RecordField("date") { .text($0.brief.day.iso) },
        RecordField("state") { .text($0.state.rawValue) },
        RecordField("code") { .text($0.brief.leader.code) },
        RecordField("title") { .text($0.brief.leader.title) },
        RecordField("audience") { .integer(Int64($0.brief.leader.audience)) },
        RecordField("lead") { RecordValue($0.brief.lead) },
        RecordField("new") { .list($0.brief.new.map(\.title)) },
        RecordField("returned") { .list($0.brief.returned.map(\.title)) },
        RecordField("passed") { .list($0.brief.passed.map { "\($0.entry.title): \($0.milestone)" }) },
        RecordField("topAudience") { .integer(Int64($0.brief.audience)) },
        RecordField("topAudienceWeekBefore") { RecordValue($0.brief.audienceWeekBefore) },
        RecordField("topChangePercent") { $0.brief.changePercent.map(RecordValue.decimal) ?? .missing },
        RecordField("source") { .text($0.source.rawValue) },
    ]

    func brief(_ parts: Query.BriefParts) throws -> Answer {
        let (notes, exitStatus) = ending(nil, isComplete: parts.isComplete)
        switch format {
        case .json:
            return Answer(output: AnswerJSON.brief(parts), notes: notes, exitStatus: exitStatus)
        case .fields(let names):
            let json = RecordFormat.object(parts, try Self.briefFields.chosen(names))
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        case .records(let form, let names):
            var answer = Answer(notes: notes, exitStatus: exitStatus)
            answer.output = form.bytes([parts], try Self.briefFields.chosen(names), tableStyle)
            return answer
        case .text:
            let heading = ChartHeading(language: language, style: style, width: width, columns: columns).line(
                .daily(parts.brief.day), isProvisional: parts.state == .provisional, source: parts.source)
            let sentences = BriefWording(language: language, englishTitles: englishTitles).sentences(parts.brief).map(
                \.printable)
            // A title may be wider than a terminal.
            let lines = sentences.map { [TextPiece($0)].joined(columns: columns, indent: 0, width) }
            let stale = filmText.note(parts.chart, language("차트", "chart"))
            return Answer(lines: [heading] + stale + lines, notes: notes, exitStatus: exitStatus)
        }
    }
}
