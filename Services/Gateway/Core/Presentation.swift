import BoxOffice
import Contracts
public import Envelope
import ServiceKit
public import TerminalText

/// Answers in the form that was asked for: text in a language, or JSON.
public struct Presentation: Sendable {
    public var isJSON: Bool
    public var language: Language
    public var style: TextStyle
    /// Of the terminal, when there is one.
    public var columns: Int?
    /// An answer that is not complete ends with 75.
    public var isStrict = false
    /// Unix time in seconds, to tell provisional charts from settled ones.
    private let now: Double

    public init(isJSON: Bool, language: Language, style: TextStyle, now: Double) {
        self.isJSON = isJSON
        self.language = language
        self.style = style
        self.now = now
    }

    func show(_ assembly: ShowAssembly, date: Day) throws -> Answer {
        let failure = assembly.chart.value == nil ? assembly.chart.failure : nil
        let (notes, exitStatus) = ending(failure, isComplete: assembly.isComplete)
        if isJSON {
            return Answer(output: try AnswerJSON.show(assembly, date: date), notes: notes, exitStatus: exitStatus)
        }
        guard let value = assembly.chart.value else { return Answer(notes: notes, exitStatus: exitStatus) }
        let entries = try JSONBytes.decode(Chart.self, from: value).entries
        let text = ChartText(language: language, style: style)
        let film = FilmText(language: language)
        var lines = heading(.daily(date), assembly.chart)
        let byCode = Dictionary(entries.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        let shown = assembly.films.compactMap { film in byCode[film.code].map { (entry: $0, parts: film) } }
        for (row, parts) in zip(text.rows(shown.map(\.entry), of: .daily), shown.map(\.parts)) {
            lines.append(row)
            lines += try film.summary(detail: parts.detail, poster: parts.poster).map { ChartText.indent + $0 }
        }
        if !assembly.isComplete {
            lines += ["", shortcoming(assembly)]
        }
        return Answer(lines: lines, notes: notes, exitStatus: exitStatus)
    }

    private func shortcoming(_ assembly: ShowAssembly) -> String {
        let stale = assembly.parts.count { $0.status == .stale }
        let bad = assembly.missing.count + assembly.parts.count { $0.status != .ok }
        if bad == stale {
            return language(
                "모두 도착했지만 \(stale)개 부분은 오래된 자료입니다.",
                "All parts arrived, but \(stale == 1 ? "1 is" : "\(stale) are") stale.")
        }
        let parts = bad == 1 ? "1 part has" : "\(bad) parts have"
        return language("일부만 도착했습니다: \(bad)개 부분에 문제가 있습니다.", "Partial answer: \(parts) a problem.")
    }

    func chart(_ outcome: PartOutcome, _ selection: ChartSelection) throws -> Answer {
        try single(outcome, kind: "chart", asked: ("targetDate", selection.days.lowerBound.iso)) { value in
            let entries = try JSONBytes.decode(Chart.self, from: value).entries
            return heading(selection, outcome)
                + ChartText(language: language, style: style).rows(entries, of: selection.kind)
        }
    }

    func movie(_ outcome: PartOutcome, code: String) throws -> Answer {
        try single(outcome, kind: "movie", asked: ("code", code)) { value in
            let film = try JSONBytes.decode(FilmDetail.self, from: value)
            let text = FilmText(language: language)
            return ["\(film.title.printable)  \(style.dim(film.code.printable))", ""] + text.fields(film)
                + text.note(outcome, language("상세", "detail"))
        }
    }

    func poster(_ outcome: PartOutcome, of film: FilmReference) throws -> Answer {
        try single(outcome, kind: "poster", asked: film.asked) { value in
            let poster = try JSONBytes.decode(Poster.self, from: value)
            let site = poster.site ?? language("출처 없음", "unknown site")
            return [
                poster.imageURL.printable + FilmText(language: language).certainty(of: poster),
                "\(poster.width) × \(poster.height) · \(site) · \(poster.pageURL)".printable,
            ] + FilmText(language: language).note(outcome, language("포스터", "poster"))
        }
    }

    /// - Parameters:
    ///   - image: nil when there was no poster whose image could be asked for.
    ///   - path: the file that it was written to; nil when it was not.
    func saved(_ image: PartOutcome?, of poster: PartOutcome, film: FilmReference, path: String?) throws -> Answer {
        let failure = path == nil ? image?.failure ?? poster.failure : nil
        let (notes, exitStatus) = ending(failure, isComplete: [image, poster].allSatisfy { $0?.status == .ok })
        if isJSON {
            let json = try AnswerJSON.saved(image, of: poster, asked: film.asked, path: path)
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        }
        guard let path, let image else { return Answer(notes: notes, exitStatus: exitStatus) }
        let text = FilmText(language: language)
        let found = try JSONBytes.decode(PosterImage.self, from: image.value ?? [])
        let certainty = text.certainty(of: try JSONBytes.decode(Poster.self, from: poster.value ?? []))
        let site = found.site ?? language("출처 없음", "unknown site")
        return Answer(
            lines: [
                language("저장했습니다: ", "Saved: ") + path.printable + certainty,
                "\(found.width) × \(found.height) · \(found.mediaType) · \(site) · \(found.pageURL ?? "")".printable,
            ] + text.substitution(found) + text.note(poster, language("포스터", "poster"))
                + text.note(image, language("이미지", "image")), notes: notes, exitStatus: exitStatus)
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

    private func single(
        _ outcome: PartOutcome, kind: StaticString, asked: (name: StaticString, value: String),
        text: ([UInt8]) throws -> [String]
    ) throws -> Answer {
        let failure = outcome.value == nil ? outcome.failure : nil
        let (notes, exitStatus) = ending(failure, isComplete: outcome.status == .ok)
        if isJSON {
            let json = try AnswerJSON.single(outcome, kind: kind, asked: asked)
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        }
        guard let value = outcome.value else { return Answer(notes: notes, exitStatus: exitStatus) }
        return Answer(lines: try text(value), notes: notes, exitStatus: exitStatus)
    }

    private func heading(_ selection: ChartSelection, _ chart: PartOutcome) -> [String] {
        let text = ChartText(language: language, style: style)
        // A chart is what it was when it was fetched: an old copy of a provisional one has not settled since.
        let fetchedAt = now - Double(chart.cache?.age ?? 0)
        let isProvisional = FreshnessPolicy().isProvisional(selection, now: fetchedAt)
        return [text.header(selection, isProvisional: isProvisional)]
            + FilmText(language: language).note(chart, language("차트", "chart")) + [""]
    }

    /// What stderr says of how an answer ends, and the exit status.
    ///
    /// - Parameter failure: of the part without which there is no answer; nil when it is there.
    private func ending(_ failure: Failure?, isComplete: Bool) -> (notes: [String], exitStatus: Int32) {
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
