public import ArgumentParser
import Assembly
import CommandKit
import Contracts
public import Domain
import Envelope
import Localization
import ProcessKit
import Records
import TerminalText
import Wording

struct ShareCommand: QuestionCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "share",
            abstract: say(
                "10위권 관객의 한국·외국영화 비중 출력", "Show the share of Korean and foreign films among the top 10."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) share 2022 --by month
                  \(Installation.gateway) share 2020..2024 --by year --format csv

                \(say("합작은 KOBIS가 한국과 다른 나라를 함께 표기한 영화입니다.\n백분율은 시장 전체가 아니라 10위권 합계 기준입니다.", "A co-production is a film for which KOBIS lists Korea and another country. Percentages are of the top 10, not of the whole market."))
                \(QuestionHelp.limits)
                """)
    }
    static var fieldNames: [String] { Presentation.shareFields.map(\.name) }

    @OptionGroup var range: RangeArgument
    @Option(help: .words("집계 단위", "Group by day, week, month or year."))
    var by = ChartPeriod.month
    @OptionGroup var calls: CallsOption
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func question(in context: CommandContext) throws -> @Sendable (GatewayCommands) async throws -> Answer {
        let days = try range.days(in: context)
        return { try await $0.share(days, by: by, calls: calls.calls) }
    }
}

extension ChartPeriod: ExpressibleByArgument {
    /// Also "일", "주", "월" and "년".
    public init?(argument: String) {
        self.init(rawValue: ["일": "day", "주": "week", "월": "month", "년": "year"][argument.nfc] ?? argument)
    }
}

extension GatewayCommands {
    /// The admissions of the ten by the films' countries.
    func share(_ days: ClosedRange<Day>, by period: ChartPeriod, calls: Int) async throws -> Answer {
        try presentation.check(Presentation.shareFields)
        return try presentation.share(await query.shares(in: days, by: period, calls: calls), by: period)
    }
}

extension Presentation {
    static let shareFields: [RecordField<AudienceShare>] =
        [
            RecordField("first") { .text($0.first.iso) }, RecordField("last") { .text($0.last.iso) },
            RecordField("knownDays") { .integer(Int64($0.knownDays)) },
            RecordField("provisionalDays") { .integer(Int64($0.provisionalDays)) },
            RecordField("audience") { .integer(Int64($0.audience)) },
        ]
        + NationGroup.allCases.flatMap { group in
            [
                RecordField("\(group.rawValue)Audience") { .integer(Int64($0[group])) },
                RecordField("\(group.rawValue)Percent") { $0.percent(group).map(RecordValue.decimal) ?? .missing },
            ]
        }

    fileprivate func share(_ reply: ArchiveShareReply, by period: ChartPeriod) throws -> Answer {
        var answer = QuestionAnswer(
            rows: reply.periods, fields: Self.shareFields, name: "periods", asked: [("by", period.rawValue)],
            members: [("filmsWithoutNation", Array("\(reply.withoutNation)".utf8))], basis: reply.basis)
        if reply.withoutNation > 0 {
            answer.fillOptions = " --details"
            let count = reply.withoutNation.withSeparators
            let command = "\(Installation.gateway) archive fill \(reply.basis.first)..\(reply.basis.last) --details"
            let note = language(
                "영화 \(count)편의 국적을 모릅니다. 상세 정보를 가져오려면: \(command)",
                "The country of \(reply.withoutNation == 1 ? "1 film" : "\(count) films") is unknown. To fetch the details: \(command)"
            )
            answer.notes.append("\(Installation.gateway): \(note)")
        }
        let what = language("10위권 관객 비중", "shares of the top 10's admissions")
        return try question(answer, heading: questionHeading(reply.basis, what)) {
            shareTable(reply.periods, by: period)
        }
    }

    private func shareTable(_ periods: [AudienceShare], by period: ChartPeriod) -> [String] {
        let wording = NationWording(language: language)
        let shown = NationGroup.allCases.filter { group in periods.contains { $0[group] != 0 } }
        func column(_ head: String, _ priority: Int, _ text: (AudienceShare) -> String) -> TextColumn {
            TextColumn(
                [TextPiece(head)] + periods.map { TextPiece(text($0)) }, alignment: .trailing, priority: priority)
        }
        let hasGaps = periods.contains { !$0.isComplete }
        let names = TextColumn(
            [TextPiece(language("기간", "period"))] + periods.map { TextPiece(name($0, period)) })
        let figures = shown.enumerated().map { index, group in
            column(wording.name(group), 8 - index) { $0.percent(group).map { "\($0)%" } ?? "-" }
        }
        let bars = TextColumn(
            [TextPiece("")] + periods.map { TextPiece(bar($0), style: style.cyan) }, priority: 2)
        let lines = titledTable(
            [names] + figures + [
                column(language("10위권 관객", "admissions"), 3) { $0.knownDays > 0 ? $0.audience.withSeparators : "-" },
                bars,
            ],
            elastic: 0)
        let legend = shown.map { "\(Self.glyph($0)) \(wording.name($0))" }.joined(separator: "  ")
        let gaps = language("?: 차트가 없는 날 포함, *: 잠정 포함", "?: with days without a chart, *: with provisional days")
        return lines + footnotes([legend, hasGaps ? gaps : nil])
    }

    private func name(_ share: AudienceShare, _ period: ChartPeriod) -> String {
        let text: String
        let days = share.first...max(share.first, share.last)
        switch period {
        // A period that the range cuts is named by its days.
        case _ where days != period.days(around: share.first): text = ChartWording(language: language).days(days)
        case .day: text = share.first.iso
        case .week: text = Week(of: share.first).iso
        case .month: text = Month(of: share.first).iso
        case .year: text = String(share.first.iso.prefix(4))
        }
        let isWhole = share.knownDays == share.last.days(since: share.first) + 1
        return text + (isWhole ? "" : "?") + (share.provisionalDays > 0 ? "*" : "")
    }

    private static let barColumns = 30

    /// Braille has the same width in every terminal.
    private static func glyph(_ group: NationGroup) -> Character {
        switch group {
        case .korean: "⣿"
        case .foreign: "⣀"
        case .coproduction: "⠿"
        case .unknown: "⠂"
        }
    }

    private func bar(_ share: AudienceShare) -> String {
        guard share.audience > 0 else { return "" }
        var (bar, sum) = ("", 0.0)
        for group in NationGroup.allCases {
            sum += Double(share[group]) / Double(share.audience) * Double(Self.barColumns)
            // A message may contain negative numbers.
            let end = Int(min(max(sum, 0), Double(Self.barColumns)).rounded())
            bar += String(repeating: Self.glyph(group), count: max(0, end - bar.count))
        }
        return bar
    }
}
