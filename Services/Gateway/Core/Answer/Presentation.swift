import Assembly
import BoxOffice
import Contracts
public import Envelope
public import Localization
import ProcessKit
public import TerminalText
import Wording

/// Answers in the form that was asked for: text in a language, JSON, or records.
public struct Presentation: Sendable {
    public var format: AnswerFormat
    public var view = ChartView.list
    public var language: Language
    public var style: TextStyle
    public var width = TextWidth.narrow
    /// Of the terminal, when there is one.
    public var columns: Int?
    /// That on which text can replace the text before it; nil when there is none.
    public var terminal: Terminal?
    /// Whether people may look at what programs are meant to read.
    public var isOnTerminal = false
    /// An answer that is not complete ends with 75.
    public var isStrict = false
    /// Texts of CSV and TSV are written as they are.
    public var isRaw = false
    /// Unix time in seconds, to tell provisional charts from settled ones.
    var now: Double

    public init(isJSON: Bool, language: Language, style: TextStyle, now: Double) {
        format = isJSON ? .json : .text
        self.language = language
        self.style = style
        self.now = now
    }

    public var isJSON: Bool { format == .json }

    func chart(_ outcome: PartOutcome, _ selection: ChartSelection) throws -> Answer {
        let entries = try outcome.value.map { try JSONBytes.decode(Chart.self, from: $0).entries }
        let day = selection.days.lowerBound
        return try single(
            outcome, kind: "chart", asked: ("targetDate", day.iso),
            records: { _ in ((entries ?? []).map { FilmRecord(day: day, entry: $0) }, FilmRecord.chartFields) }
        ) { _ in
            let text = chartText
            let films =
                switch view {
                case .list: text.list(entries ?? [], of: selection.kind).lines
                case .wide: text.wide(entries ?? [], of: selection.kind).lines
                case .grid: ChartGrid(text: text).lines(entries ?? [], of: selection.kind)
                }
            return heading(selection, outcome) + films
        }
    }

    var chartText: ChartText { ChartText(language: language, style: style, width: width, columns: columns) }

    /// As it may be shown where it goes.
    public func shown(_ answer: Answer) -> Answer {
        isOnTerminal && format != .text ? answer.withoutControls() : answer
    }

    /// A failure that is the whole answer.
    public func failed(_ failure: Failure) -> Answer {
        let (notes, exitStatus) = ending(failure, isComplete: false)
        return Answer(notes: notes, exitStatus: exitStatus)
    }

    /// No answer, since a signal came first.
    ///
    /// - Parameter exitStatus: that of the signal.
    public func interrupted(_ exitStatus: Int32) -> Answer {
        Answer(notes: ["gateway: \(language("취소했습니다.", "Cancelled."))"], exitStatus: exitStatus)
    }

    func single(
        _ outcome: PartOutcome, kind: StaticString, asked: (name: StaticString, value: String),
        records: (PartOutcome) throws -> ([FilmRecord], [FilmRecord.Field]), text: ([UInt8]) throws -> [String]
    ) throws -> Answer {
        let failure = outcome.value == nil ? outcome.failure : nil
        let (notes, exitStatus) = ending(failure, isComplete: outcome.status == .ok)
        if isJSON {
            let json = try AnswerJSON.single(outcome, kind: kind, asked: asked)
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        }
        if format != .text {
            let (rows, fields) = try records(outcome)
            return try answer(rows, fields, asked: asked, isComplete: outcome.status == .ok, failure)
        }
        guard let value = outcome.value else { return Answer(notes: notes, exitStatus: exitStatus) }
        return Answer(lines: try text(value), notes: notes, exitStatus: exitStatus)
    }

    /// A chart is what it was when it was fetched: an old copy of a provisional one has not settled since.
    func isProvisional(_ selection: ChartSelection, _ chart: PartOutcome) -> Bool {
        FreshnessPolicy().isProvisional(selection, now: now - Double(chart.cache?.age ?? 0))
    }

    func heading(_ selection: ChartSelection, _ chart: PartOutcome) -> [String] {
        let text = ChartHeading(language: language, style: style, width: width, columns: columns)
        return [text.line(selection, isProvisional: isProvisional(selection, chart))]
            + FilmText(language: language).note(chart, language("차트", "chart")) + [""]
    }

    /// What stderr says of how an answer ends, and the exit status.
    ///
    /// - Parameter failure: of the part without which there is no answer; nil when it is there.
    func ending(_ failure: Failure?, isComplete: Bool) -> (notes: [String], exitStatus: Int32) {
        if let failure {
            let line = FailureText(language: language).line(failure)
            return (["gateway: \(line)"], FailureText.exitStatus(failure.code))
        }
        guard isStrict, !isComplete else { return ([], ExitStatus.complete) }
        let what = language(
            "--strict: 없거나 오래된 부분이 있습니다. 다시 시도하세요.", "--strict: a part is missing or stale. Try again.")
        return (["gateway: \(what)"], ExitStatus.temporary)
    }
}

extension Presentation {
    /// Records of what arrived; nothing but the reason when nothing did.
    func answer(
        _ rows: [FilmRecord], _ fields: [FilmRecord.Field], asked: (name: StaticString, value: String),
        isComplete: Bool, _ failure: Failure?
    ) throws -> Answer {
        let (notes, exitStatus) = ending(failure, isComplete: isComplete)
        switch format {
        case .records(let form, let names):
            guard failure == nil else { return Answer(notes: notes, exitStatus: exitStatus) }
            let lines = form.lines(rows, try fields.chosen(names), isRaw: isRaw)
            return lines.isEmpty
                ? Answer(notes: notes, exitStatus: exitStatus)
                : Answer(lines: lines, notes: notes, exitStatus: exitStatus)
        case .fields(let names):
            let json = AnswerJSON.films(
                failure == nil ? rows : [], try fields.chosen(names), asked: asked, isComplete: isComplete)
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        case .text, .json: return Answer(notes: notes, exitStatus: exitStatus)
        }
    }

    /// Refuses fields that there are not, before anybody is asked.
    func check(_ fields: [FilmRecord.Field]) throws {
        switch format {
        case .records(_, let names): _ = try fields.chosen(names)
        case .fields(let names): _ = try fields.chosen(names)
        case .text, .json: break
        }
    }
}
