import ArgumentParser
import Assembly
import CommandKit
import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import Records
import TerminalText
import Wording

struct RecordsCommand: QuestionCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "records",
            abstract: say("흥행 기록 출력", "Show box-office records."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) records            \(say("아카이브 전체", "of all archived days"))
                  \(Installation.gateway) records 2019
                  \(Installation.gateway) records 2022-01..2022-06 --json

                \(say("차트가 하루도 빠짐없이 저장된 가장 긴 기간을 기준으로 합니다.\n주간과 월간 관객 수는 10위 안에 든 날만 더한 값입니다.", "Records cover the longest period with no missing charts.\nWeeks and months sum the days on which a film was in the top 10."))
                \(QuestionHelp.limits)
                """)
    }
    static var fieldNames: [String] { Presentation.recordFields.map(\.name) }

    @Argument(
        help: .words("기간 (기본값: 아카이브 전체)", "Range of days (default: all archived days)."), completion: Completions.days)
    var range: String?
    @OptionGroup var calls: CallsOption
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func question(in context: CommandContext) throws -> @Sendable (GatewayCommands) async throws -> Answer {
        let days = try range.map { try DateArgument.range($0, now: context.clock.now()) }
        return { try await $0.records(days, calls: calls.calls) }
    }
}

extension GatewayCommands {
    /// - Parameter days: nil for all that is archived.
    func records(_ days: ClosedRange<Day>?, calls: Int) async throws -> Answer {
        try presentation.check(Presentation.recordFields)
        let reply = try await query.records(in: days, calls: calls)
        return try await presentation(naming: reply.records.map(\.code)).records(reply, of: days)
    }
}

extension Presentation {
    static let recordFields: [RecordField<BoxOfficeRecord>] = [
        RecordField("record") { .text($0.kind.rawValue) },
        RecordField("milestone") { RecordValue($0.milestone) },
        RecordField("code") { .text($0.code) },
        RecordField("title") { .text($0.title) },
        RecordField("first") { .text($0.first.iso) },
        RecordField("last") { .text($0.last.iso) },
        RecordField("value") { .integer(Int64($0.value)) },
        RecordField("isProvisional") { .flag($0.isProvisional) },
    ]

    /// - Parameter days: that were asked for; nil for all that is archived.
    fileprivate func records(_ reply: ArchiveRecordsReply, of days: ClosedRange<Day>?) throws -> Answer {
        func day(_ day: Day?) -> [UInt8] { day.map { Array("\"\($0)\"".utf8) } ?? Array("null".utf8) }
        let answer = QuestionAnswer(
            rows: reply.records, fields: Self.recordFields, name: "records",
            members: [("spanFirst", day(reply.span?.lowerBound)), ("spanLast", day(reply.span?.upperBound))],
            // What was never archived is not missing for records of all that is.
            basis: days != nil || reply.span == nil ? reply.basis : reply.basis.of(reply.span))
        let shown = reply.basis.of(reply.span)
        var heading = questionHeading(shown, language("흥행 기록", "records"), days: days)
        if let span = reply.span, span != days {
            let found = ChartWording(language: language).days(span)
            let text = language(
                "누락된 차트가 없는 가장 긴 기간 기준: \(found)", "based on the longest time without a missing chart: \(found)")
            heading.insert(contentsOf: wrapped([style.dim(text)], indent: 0), at: 1)
        }
        return try question(answer, heading: heading) {
            recordTable(reply.records)
        }
    }

    private func recordTable(_ records: [BoxOfficeRecord]) -> [String] {
        func column(_ priority: Int, _ alignment: TextColumn.Alignment, _ text: (BoxOfficeRecord) -> String)
            -> TextColumn
        {
            TextColumn(records.map { TextPiece(text($0)) }, alignment: alignment, priority: priority)
        }
        let (wording, words) = (ChartWording(language: language), RecordWording(language: language))
        let titles = records.map { TextPiece(title(of: $0.code, $0.title)) }
        let lines = titledTable(
            [
                column(TextColumn.required, .leading, words.name), column(4, .trailing, words.figure),
                TextColumn(
                    titles,
                    narrower: [24, 12].map { columns in TextColumn(titles.map { $0.cut(to: columns, width) }) },
                    priority: 3),
                column(2, .leading) { $0.first == $0.last ? $0.first.iso : wording.days($0.days) },
            ], elastic: 0)
        let isProvisional = records.contains(where: \.isProvisional)
        return lines + footnotes([isProvisional ? language("*: 잠정", "*: provisional") : nil, words.scope])
    }
}

extension ArchiveBasis {
    /// Of a span of which every chart is known.
    fileprivate func of(_ span: ClosedRange<Day>?) -> ArchiveBasis {
        guard let span else { return self }
        return ArchiveBasis(
            chart, span, charts: span.count, known: span.count, provisional: provisional, missing: nil, source: source,
            failure: nil, calls: calls)
    }
}
