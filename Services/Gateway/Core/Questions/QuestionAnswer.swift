import ArgumentParser
import Assembly
import CommandKit
import Contracts
import Domain
import Envelope
import FlatJSON
import Localization
import ProcessKit
import Records
import TerminalText
import Wording

/// The answer of a question to the archive: rows with named fields, and the charts that they rest on.
struct QuestionAnswer<Row: Sendable> {
    let rows: [Row]
    let fields: [RecordField<Row>]
    /// The member of the JSON object with the rows.
    let name: StaticString
    /// The days that were asked for; nil for those of the basis.
    var days: ClosedRange<Day>?
    /// Members of the JSON object before `complete`.
    var asked: [(name: StaticString, value: String)] = []
    /// More members of the JSON object.
    var members: [(name: StaticString, json: [UInt8])] = []
    let basis: ArchiveBasis
    /// Options of the `archive fill` line.
    var fillOptions = ""
    /// Beside the note on missing charts.
    var notes: [String] = []
}

extension Presentation {
    /// - Parameter lines: as text, below the heading.
    func question<Row>(_ answer: QuestionAnswer<Row>, heading: [String], lines: () -> [String]) throws -> Answer {
        let basis = answer.basis
        var (notes, exitStatus) = ending(nil, isComplete: basis.isComplete)
        notes += answer.notes
        if basis.known < basis.charts {
            let options = (basis.chart == .weekly ? " --weekly" : "") + answer.fillOptions
            notes.append(
                "\(Installation.gateway): \(missingNote(max(0, basis.charts &- basis.known), basis.missing, options: options))"
            )
        }
        guard basis.known > 0 else {
            // Nothing is known of the range: there is no answer.
            let status = FailureText.exitStatus(basis.failure ?? .notStored)
            return Answer(notes: notes, exitStatus: status)
        }
        switch format {
        case .json, .fields:
            var names: [String]?
            if case .fields(let chosen) = format { names = chosen }
            let json = try json(answer, answer.fields.chosen(names))
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        case .records(let form, let names):
            var result = Answer(notes: notes, exitStatus: exitStatus)
            result.output = form.bytes(answer.rows, try answer.fields.chosen(names), tableStyle)
            return result
        case .text:
            return Answer(
                lines: heading + lines(), notes: notes + [translationNote(basis)].compactMap(\.self),
                exitStatus: exitStatus)
        }
    }

    /// Where English titles come from, when titles are shown in Korean only.
    private func translationNote(_ basis: ArchiveBasis) -> String? {
        guard language == .en, untranslated > 0 else { return nil }
        let weekly = basis.chart == .weekly ? " --weekly" : ""
        let command = "\(Installation.gateway) archive fill \(basis.days.written)\(weekly) --details"
        let films = untranslated == 1 ? "1 film are" : "\(untranslated.withSeparators) films are"
        return "\(Installation.gateway): The details of \(films) not stored. For their English titles: \(command)"
    }

    /// { first, last, <asked>, complete, source, basis, <members>, <rows> }.
    private func json<Row>(_ answer: QuestionAnswer<Row>, _ fields: [RecordField<Row>]) throws -> [UInt8] {
        let basis = answer.basis
        var json = JSONWriter(capacity: 1024 + answer.rows.count * 256)
        json.beginObject()
        let days = answer.days ?? basis.days
        json.field("first", days.lowerBound.iso)
        json.field("last", days.upperBound.iso)
        for member in answer.asked { json.field(member.name, member.value) }
        json.field("complete", flag: basis.isComplete)
        json.optionalField("source", basis.source?.rawValue)
        json.beginObject("basis")
        json.field("chart", basis.chart.rawValue)
        json.field("first", basis.first.iso)
        json.field("last", basis.last.iso)
        json.field("charts", Int64(basis.charts))
        json.field("known", Int64(basis.known))
        json.field("provisional", Int64(basis.provisional))
        json.optionalField("missingFirst", basis.missing?.lowerBound.iso)
        json.optionalField("missingLast", basis.missing?.upperBound.iso)
        json.field("calls", Int64(basis.calls))
        json.endObject()
        for member in answer.members { json.field(member.name, json: member.json) }
        json.beginArray(answer.name)
        for row in answer.rows { json.element(json: RecordFormat.object(row, fields)) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// The days of an answer, what it shows, and which charts it rests on.
    ///
    /// - Parameter days: that were asked for; nil for those of the basis.
    func questionHeading(_ basis: ArchiveBasis, _ what: String, days: ClosedRange<Day>? = nil) -> [String] {
        let wording = ChartWording(language: language)
        let pieces = [
            TextPiece(wording.days(days ?? basis.days)), TextPiece(what),
            basis.source?.label.map { TextPiece($0(language), style: style.dim) },
        ].compactMap(\.self)
        return [pieces.joined(columns: columns, indent: 0, width)]
            + wrapped(basisWords(basis).map(style.dim), indent: 0) + [""]
    }

    private func basisWords(_ basis: ArchiveBasis) -> [String] {
        let (known, charts) = (basis.known.withSeparators, basis.charts.withSeparators)
        var words: [String] = []
        if basis.chart == .weekly {
            let days = "\(basis.first) ~ \(basis.last)"
            words.append(
                language(
                    "일별 차트가 부족하여 주간 차트 \(known)개 기준(\(days))",
                    "based on \(basis.known == 1 ? "1 weekly chart" : "\(known) weekly charts") because daily charts are missing (\(days))"
                ))
        } else if basis.known < basis.charts {
            words.append(language("차트 \(known)/\(charts)일 기준", "based on the charts of \(known) of \(charts) days"))
        }
        if basis.provisional > 0 {
            let provisional = basis.provisional.withSeparators
            words.append(language("잠정 \(provisional)개 포함", "\(provisional) of them provisional"))
        }
        if basis.first < Self.fullCoverage {
            words.append(
                language(
                    "2011년 이전: 일부 극장만 집계(2004년 약 50%)",
                    "before 2011 not all cinemas reported (about 50% in 2004)"))
        }
        return words.isEmpty ? [] : [words.joined(separator: " · ")]
    }

    /// The cinemas of KOBIS were complete from this day on.
    private static let fullCoverage = Day(daysSinceEpoch: 14_975)

    /// Notes below a table.
    func footnotes(_ notes: [String?]) -> [String] {
        let notes = notes.compactMap(\.self)
        return notes.isEmpty ? [] : [""] + notes.flatMap { width.wrap($0, columns: columns, indent: 2) }.map(style.dim)
    }

    /// A table whose column of titles is cut on a narrow terminal.
    func titledTable(_ columns: [TextColumn], elastic: Int) -> [String] {
        TextTable(columns, elastic: elastic).layout(limit: self.columns, width).lines
    }
}

/// The days that a question is about.
struct RangeArgument: ParsableArguments {
    @Argument(
        help: .words(
            "기간, 예: 2022-01, 2022-W01, A..B, 지난주",
            "Range of days, e.g. 2022, 2022-01, 2022-W01, A..B, -30d.., last-week."),
        completion: Completions.days)
    var range: String

    func days(in context: CommandContext) throws -> ClosedRange<Day> {
        try DateArgument.range(range, now: context.clock.now())
    }
}

/// What charts cannot say, for the help of the questions.
enum QuestionHelp {
    static var limits: String {
        say(
            "차트는 하루 10위까지만 제공됩니다. 전체 시장의 관객 수와 점유율, 개봉 편수,\n11위 이하 순위, 10위 밖으로 나간 뒤의 최종 관객 수는 알 수 없습니다.",
            "A chart lists only ten films. Unknown are therefore the whole market, the number of releases, ranks below 10, and what a film earned after it left the top 10."
        )
    }
}
