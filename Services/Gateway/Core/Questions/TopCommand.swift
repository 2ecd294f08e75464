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

struct TopCommand: QuestionCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "top",
            abstract: say("기간 안에 관객이 많이 든 영화 출력", "List the films with the most admissions in a range of days."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) top 2022-01
                  \(Installation.gateway) top 2024 --nation korean --limit 10
                  \(Installation.gateway) top 2022-W01..2022-W04 --by sales --format csv

                \(say("=는 정확한 값, ≥는 최솟값이며, 값이 큰 순으로 정렬합니다.", "= is exact, ≥ is a lower bound. Films are ordered by the lower bound."))
                \(QuestionHelp.limits)
                """)
    }
    static var fieldNames: [String] { RankedGain.fields.map(\.name) }

    @OptionGroup var range: RangeArgument
    @Option(help: .words("정렬: 관객, 매출, 일수", "Sort by admissions, sales or days in the top 10."))
    var by = FilmGain.Order.audience
    @Option(help: .words("국적", "Korean films, foreign films or co-productions only."))
    var nation: NationGroup?
    @Option(help: .words("영화 수, 1~100", "Number of films, 1 to 100."))
    var limit = 30
    @OptionGroup var calls: CallsOption
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard ArchiveTopRequest.allowedLimit.contains(limit) else {
            throw ValidationError.usage("--limit은 1부터 100까지입니다.", "--limit takes 1 to 100.")
        }
    }

    func question(in context: CommandContext) throws -> @Sendable (GatewayCommands) async throws -> Answer {
        let days = try range.days(in: context)
        return { try await $0.top(days, by: by, nation: nation, limit: limit, calls: calls.calls) }
    }
}

extension FilmGain.Order: ExpressibleByArgument {
    /// Also "관객", "관객수", "매출", "매출액" and "일수".
    public init?(argument: String) {
        let names = ["관객": "audience", "관객수": "audience", "매출": "sales", "매출액": "sales", "일수": "days"]
        self.init(rawValue: names[argument.nfc] ?? argument)
    }
}

extension NationGroup: ExpressibleByArgument {
    public static var allValueStrings: [String] { ["korean", "foreign", "coproduction"] }

    /// Also "한국", "외국" and "합작".
    public init?(argument: String) {
        let name = ["한국": "korean", "외국": "foreign", "합작": "coproduction"][argument.nfc] ?? argument
        guard Self.allValueStrings.contains(name) else { return nil }
        self.init(rawValue: name)
    }
}

extension GatewayCommands {
    /// The films that gained most in a range.
    func top(
        _ days: ClosedRange<Day>, by order: FilmGain.Order, nation: NationGroup?, limit: Int, calls: Int
    ) async throws -> Answer {
        try presentation.check(RankedGain.fields)
        let reply = try await query.topFilms(in: days, by: order, nation: nation, limit: limit, calls: calls)
        return try await presentation(naming: reply.films.map(\.code), isField: true).top(
            reply, days, by: order, nation: nation)
    }
}

/// A film at its place in the order.
struct RankedGain: Sendable {
    let place: Int
    let gain: FilmGain
    /// As the stored detail has it.
    let titleEnglish: String?

    static let fields: [RecordField<RankedGain>] = [
        RecordField("place") { .integer(Int64($0.place)) },
        RecordField("code") { .text($0.gain.code) },
        RecordField("title") { .text($0.gain.title) },
        RecordField("titleEnglish") { RecordValue($0.titleEnglish) },
        RecordField("openingDay") { RecordValue($0.gain.openingDay?.iso) },
        RecordField("audience") { .integer(Int64($0.gain.audience)) },
        RecordField("salesAmount") { .integer($0.gain.sales) },
        RecordField("isExact") { .flag($0.gain.isExact) },
        RecordField("charts") { .integer(Int64($0.gain.charts)) },
        RecordField("firstCharted") { .text($0.gain.first.iso) },
        RecordField("lastCharted") { .text($0.gain.last.iso) },
    ]
}

extension Presentation {
    fileprivate func top(
        _ reply: ArchiveTopReply, _ days: ClosedRange<Day>, by order: FilmGain.Order, nation: NationGroup?
    ) throws -> Answer {
        let rows = reply.films.enumerated().map {
            RankedGain(place: $0 + 1, gain: $1, titleEnglish: englishTitles[$1.code])
        }
        var answer = QuestionAnswer(
            rows: rows, fields: RankedGain.fields, name: "films", days: days, asked: [("by", order.rawValue)],
            basis: reply.basis)
        if let nation { answer.asked.append(("nation", nation.rawValue)) }
        if reply.withoutNation > 0 {
            let count = reply.withoutNation.withSeparators
            let weekly = reply.basis.chart == .weekly ? " --weekly" : ""
            let command =
                "\(Installation.gateway) archive fill \(reply.basis.first)..\(reply.basis.last)\(weekly) --details"
            let note = language(
                "국적을 모르는 영화 \(count)편은 제외했습니다. 상세 정보를 가져오려면: \(command)",
                "\(reply.withoutNation == 1 ? "1 film is" : "\(count) films are") left out: the country is unknown. To fetch the details: \(command)"
            )
            answer.notes.append("\(Installation.gateway): \(note)")
        }
        if reply.basis.chart == .weekly {
            let command = "\(Installation.gateway) archive fill \(days.lowerBound)..\(days.upperBound)"
            answer.notes.append(
                "\(Installation.gateway): "
                    + language(
                        "정확한 값을 구하려면 일별 차트가 필요합니다: \(command)", "Exact figures need the daily charts: \(command)"))
        }
        return try question(
            answer, heading: questionHeading(reply.basis, words(order, nation, reply.basis), days: days)
        ) {
            guard !rows.isEmpty else { return [language("해당하는 영화가 없습니다.", "No such films.")] }
            return topTable(rows, reply.basis)
        }
    }

    private func bounds(_ basis: ArchiveBasis) -> String {
        basis.chart == .weekly
            ? language(
                "≥: 최솟값(실제로는 더 많을 수 있음). 온전한 주와 차트가 있는 날만 합산. 최솟값순",
                "≥: at least; only whole weeks and days with a chart are counted. Ordered by the lower bound")
            : language(
                "≥: 최솟값(실제로는 더 많을 수 있음), =: 정확한 값. ≥는 기간의 처음이나 끝에 10위 밖이었던 영화. 최솟값순",
                "≥: at least; outside the top 10 at the start or end of the range. =: exact. Ordered by the lower bound"
            )
    }

    private func words(_ order: FilmGain.Order, _ nation: NationGroup?, _ basis: ArchiveBasis) -> String {
        let order =
            switch order {
            case .audience: language("기간 관객순", "by admissions in the range")
            case .sales: language("기간 매출순", "by sales in the range")
            case .days where basis.chart == .weekly: language("10위 안에 든 주 순", "by weeks in the top 10")
            case .days: language("10위 안에 든 날 순", "by days in the top 10")
            }
        return [nation.map { NationWording(language: language).name($0) }, order].compactMap(\.self)
            .joined(separator: " · ")
    }

    private func topTable(_ rows: [RankedGain], _ basis: ArchiveBasis) -> [String] {
        func column(
            _ head: String, _ priority: Int, _ alignment: TextColumn.Alignment = .trailing,
            _ text: (RankedGain) -> String
        ) -> TextColumn {
            TextColumn([TextPiece(head)] + rows.map { TextPiece(text($0)) }, alignment: alignment, priority: priority)
        }
        func sign(_ gain: FilmGain) -> String { gain.isExact ? "=" : "≥" }
        let unit = basis.chart == .weekly ? language("주", "weeks") : language("일수", "days")
        let lines = titledTable(
            [
                column("", TextColumn.required) { "\($0.place)" },
                column(language("제목", "title"), TextColumn.required, .leading) {
                    title(of: $0.gain.code, $0.gain.title)
                },
                column(language("개봉일", "opened"), 2, .leading) { $0.gain.openingDay?.iso ?? "-" },
                column(language("관객", "admissions"), 4) { "\(sign($0.gain)) \($0.gain.audience.withSeparators)" },
                column(language("매출액", "sales"), 1) {
                    "\(sign($0.gain)) \(Int(clamping: $0.gain.sales).withSeparators)"
                },
                column(unit, 3) { "\($0.gain.charts)" },
            ], elastic: 1)
        return lines
            + footnotes([
                rows.contains { !$0.gain.isExact } ? bounds(basis) : nil
            ])
    }
}
