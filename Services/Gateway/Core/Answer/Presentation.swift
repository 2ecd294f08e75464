import Assembly
import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import Records
import TerminalText
import Wording

/// Presents answers in the requested form: text in a language, JSON, or records.
struct Presentation: Sendable {
    var format: AnswerFormat
    var view = ChartView.list
    var language: Language
    var style: TextStyle
    var width = TextWidth.narrow
    /// Columns of the terminal, if there is one.
    var columns: Int?
    /// Columns of the terminal of stderr, if there is one.
    var noteColumns: Int?
    /// The terminal on which text can be rewritten in place; nil when there is none.
    var terminal: Terminal?
    /// Whether JSON and records may be printed on a terminal.
    var isOnTerminal = false
    /// Whether JSON is indented and coloured.
    var isIndented = false
    /// An incomplete answer exits with 75.
    var isStrict = false
    var tableStyle = TableStyle()
    /// Those that are known, by film code.
    var englishTitles: [String: String] = [:]
    /// The number of listed films whose details, which have the English titles, are not stored.
    var untranslated = 0
    /// Unix time in seconds, which separates provisional charts from settled ones.
    var now: Double

    init(isJSON: Bool, language: Language, style: TextStyle, now: Double) {
        format = isJSON ? .json : .text
        self.language = language
        self.style = style
        self.now = now
    }

    var isJSON: Bool { format == .json }

    /// A film's title, in English with the Korean one beside it where it is known.
    func title(of code: String, _ korean: String) -> String {
        FilmWording(language: language).title(korean, english: englishTitles[code]).printable
    }

    /// - Parameter top: the number of films that are shown; JSON has the whole chart, as it is stored.
    /// - Parameter englishTitles: those that are known, by film code.
    func chart(
        _ outcome: PartOutcome, _ selection: ChartSelection, top: Int = .max, englishTitles: [String: String] = [:]
    ) throws -> Answer {
        let entries = try outcome.value.map { Array(try JSONBytes.decode(Chart.self, from: $0).entries.prefix(top)) }
        return try single(
            outcome, kind: "chart", asked: ("targetDate", selection.days.lowerBound.iso),
            records: { _ in
                let records = FilmRecord.rows(of: selection, entries ?? [], outcome, englishTitles, now: now)
                return (records, FilmRecord.chartFields)
            }
        ) { _ in
            var text = chartText
            text.isGenuine = outcome.source != .demo
            text.englishTitles = englishTitles
            let films =
                switch view {
                case .list: text.list(entries ?? [], of: selection.kind).lines
                case .wide: text.wide(entries ?? [], of: selection.kind).lines
                case .grid: ChartGrid(text: text).lines(entries ?? [], of: selection.kind)
                }
            return heading(selection, outcome, source: outcome.source) + films
        }
    }

    var chartText: ChartText { ChartText(language: language, style: style, width: width, columns: columns) }
    var filmText: FilmText { FilmText(language: language, style: style, width: width, columns: columns) }

    /// A table of figures that fits the terminal (see `TextTable`).
    func table(_ rows: [[String]], priorities: [Int]) -> [String] {
        TextTable(rows, priorities: priorities).layout(limit: columns, width).lines
    }

    /// Lines that are broken at blanks where they exceed the terminal.
    func wrapped(_ lines: [String], indent: Int = 0) -> [String] {
        lines.flatMap { width.wrap($0, columns: columns, indent: indent) }
    }

    /// The answer in a form that is safe for its output.
    func sanitized(_ answer: Answer) -> Answer {
        guard isOnTerminal, format != .text else { return answer }
        var answer = answer.withoutControls()
        if case .records = format { return answer }
        if isIndented { answer.output = JSONText(style: style).indented(answer.output) }
        return answer
    }

    /// A failure as the whole answer.
    func failure(_ failure: Failure) -> Answer {
        let (notes, exitStatus) = ending(failure, isComplete: false)
        return Answer(notes: notes, exitStatus: exitStatus)
    }

    /// A signal ended the command.
    ///
    /// - Parameters:
    ///   - exitStatus: the exit status for the signal.
    ///   - answer: of what ran until then; nil when there is none.
    func interruption(_ exitStatus: Int32, after answer: Answer?) -> Answer {
        var answer = answer ?? .nothing
        answer.notes.append("\(Installation.gateway): \(language("취소했습니다.", "Cancelled."))")
        answer.exitStatus = exitStatus
        return answer
    }

    /// - Parameter source: of the whole answer; nil for the outcome's.
    func single(
        _ outcome: PartOutcome, kind: StaticString, asked: (name: StaticString, value: String),
        source: DataSource? = nil,
        records: (PartOutcome) throws -> ([FilmRecord], [FilmRecord.Field]), text: ([UInt8]) throws -> [String]
    ) throws -> Answer {
        let failure = outcome.value == nil ? outcome.failure : nil
        let (notes, exitStatus) = ending(failure, isComplete: outcome.status == .ok)
        if isJSON {
            let json = try AnswerJSON.single(outcome, kind: kind, asked: asked, source: source)
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        }
        if format != .text {
            let (rows, fields) = try records(outcome)
            return try answer(rows, fields, asked: asked, isComplete: outcome.status == .ok, failure)
        }
        guard let value = outcome.value else { return Answer(notes: notes, exitStatus: exitStatus) }
        return Answer(lines: try text(value), notes: notes, exitStatus: exitStatus)
    }

    /// - Parameter source: of the whole answer.
    func heading(_ selection: ChartSelection, _ chart: PartOutcome, source: DataSource?) -> [String] {
        let text = ChartHeading(
            language: language, style: style, width: width, columns: columns,
            yesterday: Day.yesterdayInSeoul(secondsSinceEpoch: now))
        let isProvisional = FreshnessPolicy().wasProvisional(selection, age: chart.cache?.age, now: now)
        return [text.line(selection, isProvisional: isProvisional, source: source ?? .upstream)]
            + filmText.note(chart, language("차트", "chart")) + [""]
    }

    /// The notes for stderr and the exit status of an answer.
    ///
    /// - Parameter failure: of the part that the answer cannot do without; nil when that part is present.
    func ending(_ failure: Failure?, isComplete: Bool) -> (notes: [String], exitStatus: Int32) {
        if let failure {
            let line = FailureText(language: language).line(failure)
            return (["\(Installation.gateway): \(line)"], FailureText.exitStatus(failure.code))
        }
        guard isStrict, !isComplete else { return ([], ExitStatus.complete) }
        let what = language(
            "--strict: 없거나 오래된 부분이 있습니다. 다시 시도하세요.", "--strict: a part is missing or stale. Try again.")
        return (["\(Installation.gateway): \(what)"], ExitStatus.temporary)
    }
}

extension Presentation {
    /// Records of the parts that arrived; only the reason when none did.
    func answer(
        _ rows: [FilmRecord], _ fields: [FilmRecord.Field], asked: (name: StaticString, value: String),
        isComplete: Bool, _ failure: Failure?
    ) throws -> Answer {
        let (notes, exitStatus) = ending(failure, isComplete: isComplete)
        switch format {
        case .records(let form, let names):
            guard failure == nil else { return Answer(notes: notes, exitStatus: exitStatus) }
            var answer = Answer(notes: notes, exitStatus: exitStatus)
            answer.output = form.bytes(rows, try fields.chosen(names), tableStyle)
            return answer
        case .fields(let names):
            let json = AnswerJSON.films(
                failure == nil ? rows : [], try fields.chosen(names), asked: asked, isComplete: isComplete)
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        case .text, .json: return Answer(notes: notes, exitStatus: exitStatus)
        }
    }

    /// Rejects unknown fields before any request is sent.
    func check<Row>(_ fields: [RecordField<Row>]) throws {
        switch format {
        case .records(_, let names): _ = try fields.chosen(names)
        case .fields(let names): _ = try fields.chosen(names)
        case .text, .json: break
        }
    }
}

/// The form in which an answer is printed.
enum AnswerFormat: Sendable, Equatable {
    case text
    /// The stored parts unchanged, with their status.
    case json
    /// One JSON object with these fields of each film.
    case fields([String])
    /// One record per film, with these fields or all fields.
    case records(RecordFormat, [String]?)
}

/// How text shows the films of a chart.
enum ChartView: String, Sendable, CaseIterable {
    /// One line per film, with a line of details below it in `show`.
    case list
    /// A table of all figures.
    case wide
    /// Cells side by side.
    case grid
}
