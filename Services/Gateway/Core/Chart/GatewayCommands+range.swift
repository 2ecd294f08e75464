import Assembly
import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import Records
import TerminalText
import Wording

extension GatewayCommands {
    /// The charts of a range, printed page by page.
    ///
    /// - Parameters:
    ///   - top: the number of films that text and records have of each chart.
    ///   - calls: how many missing charts may be fetched.
    func charts(
        _ kind: ChartKind, in days: ClosedRange<Day>, top: Int, calls: Int, asOf moment: Int64? = nil,
        to output: RangeOutput
    ) async throws -> Answer {
        try presentation.check(FilmRecord.chartFields)
        // What was known then cannot be fetched any more.
        let calls = moment == nil ? calls : 0
        let charted = kind.chartedDays(until: Day.yesterdayInSeoul(secondsSinceEpoch: presentation.now))
        let days = days.overlaps(charted) ? days.clamped(to: charted) : days
        var pages = RangePages(presentation: presentation, kind: kind, days: days, top: top, isPast: moment != nil)
        var buffer = output
        let fetched = try await query.archivedCharts(kind, in: days, calls: calls, asOf: moment) { charts in
            if presentation.format != .json {
                let codes = charts.flatMap { $0.entries.prefix(top).map(\.code) }
                pages.presentation = try await presentation(naming: codes, isField: true)
            }
            // A terminal shows JSON indented, which needs the whole of it.
            try buffer.append(pages.page(charts), isWhole: presentation.isOnTerminal && presentation.format != .text)
        }
        var answer = try pages.end(fetched: fetched)
        answer.output = buffer.pending + answer.output
        return answer
    }
}

/// Writes output while it is made, unless the whole of it is needed.
struct RangeOutput: Sendable {
    /// False where the answer is not printed by this process.
    let isImmediate: Bool
    private(set) var pending: [UInt8] = []

    init(isImmediate: Bool) {
        self.isImmediate = isImmediate
    }

    /// - Parameter isWhole: keeps the bytes for the end.
    mutating func append(_ bytes: [UInt8], isWhole: Bool) throws {
        pending += bytes
        guard isImmediate, !isWhole, !pending.isEmpty else { return }
        // A closed pipe ends the output silently, as it does for every answer.
        _ = try LineOutput.write(pending, toStandardError: false)
        pending = []
    }
}

/// The charts of a range in the form of an answer, a page at a time.
struct RangePages {
    /// With the English titles of the films of the next page.
    var presentation: Presentation
    let kind: ChartKind
    let days: ClosedRange<Day>
    let top: Int
    /// Whether the charts are those of an earlier moment, which cannot be fetched.
    let isPast: Bool
    private var isFirst = true
    /// Whether the list of JSON has an element, and whether text ended with the films of a chart.
    private var hasElement = false
    private var endedWithFilms = false
    private var counts: [ChartState: Int] = [:]
    private var source: DataSource?
    private var failure: FailureCode?

    init(presentation: Presentation, kind: ChartKind, days: ClosedRange<Day>, top: Int, isPast: Bool) {
        self.presentation = presentation
        self.kind = kind
        self.days = days
        self.top = top
        self.isPast = isPast
    }

    mutating func page(_ charts: [ArchivedChart]) throws -> [UInt8] {
        for chart in charts {
            counts[chart.state, default: 0] += 1
            source = [source, chart.source].compactMap(\.self).min()
            failure = failure ?? chart.failure
        }
        defer { isFirst = false }
        switch presentation.format {
        case .json: return json(charts)
        case .fields(let names): return try fields(charts, names)
        case .records(let form, let names):
            return form.bytes(
                records(charts), try FilmRecord.chartFields.chosen(names), presentation.tableStyle, isStart: isFirst)
        case .text: return bytes(text(charts))
        }
    }

    /// What follows the pages; without any chart only the reason.
    func end(fetched: Int) throws -> Answer {
        let total = counts.values.reduce(0, +)
        let missing = total - [.settled, .provisional, .empty].map { counts[$0] ?? 0 }.reduce(0, +)
        let isComplete = missing == 0 && counts[.provisional] == nil
        var (notes, exitStatus) = presentation.ending(nil, isComplete: isComplete)
        if missing > 0 { notes.insert("\(Installation.gateway): \(missingNote(missing, of: total))", at: 0) }
        if missing == total { exitStatus = FailureText.exitStatus(failure ?? .notStored) }
        var end: [UInt8] = []
        switch presentation.format {
        case .json, .fields:
            let source = try JSONBytes.encode(source)
            end =
                Array("],\"calls\":\(fetched),\"complete\":\(isComplete),\"source\":".utf8) + source + Array("}\n".utf8)
        case .records, .text: break
        }
        var answer = Answer(notes: notes, exitStatus: exitStatus)
        answer.output = end
        return answer
    }

    private func missingNote(_ missing: Int, of total: Int) -> String {
        let (known, all, rest) = ((total - missing).withSeparators, total.withSeparators, missing.withSeparators)
        let shown = presentation.language(
            "차트 \(all)개 중 \(known)개를 표시했습니다.", "Showing \(known) of \(all) charts.")
        guard !isPast else { return shown }
        let fill =
            "\(Installation.gateway) archive fill \(days.lowerBound)..\(days.upperBound)\(kind == .daily ? "" : " --\(kind.rawValue)")"
        return shown
            + presentation.language(" 나머지 \(rest)개를 가져오려면: \(fill)", " To fetch the other \(rest): \(fill)")
    }

    // MARK: Forms

    private func bytes(_ lines: [String]) -> [UInt8] { lines.flatMap { Array("\($0)\n".utf8) } }

    /// Lazy: a record is large, and a page has hundreds.
    private func records(_ charts: [ArchivedChart]) -> some Sequence<FilmRecord> {
        charts.lazy.flatMap { [top, kind, titles = presentation.englishTitles] chart in
            chart.entries.prefix(top).lazy.map { entry in
                var record = FilmRecord(ChartSelection(kind, around: chart.date), entry: entry, source: chart.source)
                record.state = chart.state
                record.titleEnglish = titles[entry.code]
                return record
            }
        }
    }

    /// The elements of a page in the list of the answer, which the first page opens.
    private mutating func list(_ name: String, _ elements: [[UInt8]]) -> [UInt8] {
        let (first, last) = (days.lowerBound, days.upperBound)
        let head = #"{"first":"\#(first)","last":"\#(last)","kind":"\#(kind.rawValue)","\#(name)":["#
        let separator = hasElement && !elements.isEmpty ? "," : ""
        hasElement = hasElement || !elements.isEmpty
        return Array(((isFirst ? head : "") + separator).utf8) + Array(elements.joined(separator: [UInt8(ascii: ",")]))
    }

    private mutating func json(_ charts: [ArchivedChart]) -> [UInt8] {
        list("charts", charts.map { $0.json() })
    }

    private mutating func fields(_ charts: [ArchivedChart], _ names: [String]) throws -> [UInt8] {
        let chosen = try FilmRecord.chartFields.chosen(names)
        return list("films", records(charts).map { RecordFormat.object($0, chosen) })
    }

    private mutating func text(_ charts: [ArchivedChart]) -> [String] {
        let wording = ChartWording(language: presentation.language)
        var blocks: [[String]] = []
        for chart in charts {
            let selection = ChartSelection(kind, around: chart.date)
            guard !chart.entries.isEmpty else {
                blocks.append(["\(wording.days(selection.days))  \(presentation.style.dim(wording.state(chart.state)))"]
                )
                continue
            }
            var text = presentation.chartText
            text.isGenuine = chart.source != .demo
            text.englishTitles = presentation.englishTitles
            let heading = ChartHeading(
                language: presentation.language, style: presentation.style, width: presentation.width,
                columns: presentation.columns
            ).line(selection, isProvisional: chart.state == .provisional, source: chart.source ?? .upstream)
            let entries = Array(chart.entries.prefix(top))
            let films =
                switch presentation.view {
                case .list: text.list(entries, of: kind).lines
                case .wide: text.wide(entries, of: kind).lines
                case .grid: ChartGrid(text: text).lines(entries, of: kind)
                }
            blocks.append([heading] + films)
        }
        // A blank line beside each chart with films; lines of unknown charts stand together.
        var lines: [String] = []
        for (index, block) in blocks.enumerated() {
            if block.count > 1 || endedWithFilms, index > 0 || !isFirst { lines.append("") }
            lines += block
            endedWithFilms = block.count > 1
        }
        return lines
    }
}
