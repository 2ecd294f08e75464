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

struct MovieCommand: FieldCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "movie",
            abstract: say(
                "영화 상세 정보와 흥행 추이 출력", "Show a film's details and box-office run."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) movie '#1'
                  \(Installation.gateway) movie '#3' --date 2022-01-05      \(say("그날 차트의 3위", "the third of that day's chart"))
                  \(Installation.gateway) movie 등대                        \(say("제목의 일부로 찾기", "by a part of the title"))
                """)
    }
    static var fieldNames: [String] { FilmRecord.movieFields.map(\.name) }

    @OptionGroup var film: FilmArgument
    @Flag(help: .words("배우 전체 출력 (기본값: 8명)", "Show the whole cast (default: the first eight)."))
    var all = false
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        let day = try film.day(in: context)
        return try await common.answer(in: context, policy, format: format) {
            try await $0.movie(film.reference, on: day, isComplete: all)
        }
    }
}

extension GatewayCommands {
    /// A film's detail and its run in the archived charts; the candidates when several films match.
    ///
    /// - Parameters:
    ///   - day: the day of the chart that a rank refers to; the last day of the run.
    ///   - isComplete: whether text names all actors.
    func movie(_ film: FilmReference, on day: Day, isComplete: Bool = false) async throws -> Answer {
        try presentation.check(FilmRecord.movieFields)
        return try await withCode(of: film, on: day) { code in
            async let awaitedRun = query.knownRun(of: code, until: day)
            let detail = try await query.movie(code: code)
            let run = await awaitedRun
            var answer = try presentation.movie(detail, code: code, run: run, isComplete: isComplete)
            if let run, run.run != nil, !run.isKnown, presentation.format == .text, !answer.output.isEmpty {
                let command = "\(Installation.gateway) run \(code)"
                let note = presentation.language(
                    "차트가 없는 날이 있습니다. 전체 흥행: \(command)", "Charts are missing. The whole run: \(command)")
                let lines = presentation.wrapped([presentation.style.dim(note)])
                answer.output += Array(lines.map { "\($0)\n" }.joined().utf8)
            }
            return answer
        }
    }

    /// Runs `body` with the film's code; without one film that fits, the answer is the list of those that may be meant.
    func withCode(
        of film: FilmReference, on day: Day, _ body: (String) async throws -> Answer
    ) async throws -> Answer {
        switch try await code(of: film, on: day) {
        case .code(let code, let title):
            var answer = try await body(code)
            if let title, case .title(let text) = film, title != text, presentation.format == .text {
                let english = presentation.language == .en ? try await query.storedEnglishTitles(of: [code])[code] : nil
                let title = FilmWording(language: presentation.language).title(title, english: english)
                let found = presentation.language(
                    "'\(text)' → \(title) (\(code)). 다른 영화를 찾으려면: \(Installation.gateway) search '\(text)'",
                    "'\(text)' → \(title) (\(code)). To find others: \(Installation.gateway) search '\(text)'")
                answer.notes.insert("\(Installation.gateway): \(found.printable)", at: 0)
            }
            return answer
        case .candidates(let answer): return answer
        }
    }

    enum ResolvedFilm {
        /// - Parameter title: nil when the code was given.
        case code(String, title: String?)
        case candidates(Answer)
    }

    func code(of film: FilmReference, on day: Day) async throws -> ResolvedFilm {
        if case .code(let code) = film { return .code(code, title: nil) }
        let candidates = try await query.candidates(for: film, on: day)
        guard let only = candidates.only else {
            return .candidates(try presentation.candidates(candidates, for: film, on: day))
        }
        return .code(only.code, title: only.title)
    }
}

extension Presentation {
    /// - Parameter isComplete: whether text names all actors.
    func movie(
        _ outcome: PartOutcome, code: String, run: ArchivedRun? = nil, isComplete: Bool = false
    ) throws -> Answer {
        let source = [outcome.source, run?.source].compactMap(\.self).min()
        if format == .json {
            let (notes, exitStatus) = ending(
                outcome.value == nil ? outcome.failure : nil, isComplete: outcome.status == .ok)
            let json = try AnswerJSON.movie(outcome, code: code, run: run)
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        }
        return try single(
            outcome, kind: "movie", asked: ("code", code), source: source,
            records: { outcome in
                var record = FilmRecord(code: code)
                try record.take(detail: outcome)
                return ([record], FilmRecord.movieFields)
            }
        ) { value in
            let film = try JSONBytes.decode(FilmDetail.self, from: value)
            let text = filmText
            let runFields = run?.run.map { RunWording(language: language).fields($0) }
            let runLines = runFields.map { [""] + TextTable.labelled($0, columns: columns, width) } ?? []
            return [heading(film, source: source), ""] + text.fields(film, isComplete: isComplete) + runLines
                + text.note(outcome, text.parts.name(.detail))
        }
    }

    /// The title of a film's detail, its code, and what is not genuine about it.
    private func heading(_ film: FilmDetail, source: DataSource?) -> String {
        let title = FilmWording(language: language).title(film.title, english: film.titleEnglish).printable
        let words = [film.code.printable, source?.label?(language)].compactMap(\.self)
        return [TextPiece(title), TextPiece(words.joined(separator: " · "), style: style.dim)]
            .joined(columns: columns, indent: 0, width)
    }

    /// The number of candidates that text lists; JSON lists them all.
    private static let maxCandidates = 20

    /// No film or several films match: there is no answer.
    func candidates(_ candidates: FilmCandidates, for film: FilmReference, on day: Day) throws -> Answer {
        let label = candidates.source?.label.map { " (\($0(language)))" } ?? ""
        let what =
            candidates.films.isEmpty
            ? FailureText(language: language).line(.unknown(film, on: day))
            : language(
                "'\(film.text.printable)': 여러 편이 있습니다. 코드로 고르세요. 더 찾기: \(Installation.gateway) search '\(film.text.printable)'",
                "'\(film.text.printable)': Several films match. Choose one by its code. More: \(Installation.gateway) search '\(film.text.printable)'"
            )
                + label
        let listed = candidates.films.prefix(Self.maxCandidates)
        let width = listed.map { self.width.columns($0.title.printable) }.max() ?? 0
        let more = candidates.total - listed.count
        let lines =
            listed.map {
                "  \($0.code.printable)  \(self.width.padded($0.title.printable, to: width))  \($0.openingDay?.iso ?? $0.openingText ?? "-")"
            }
            + (more > 0
                ? [
                    language(
                        "  … 외 \(more)편: \(Installation.gateway) search",
                        "  … and \(more) more: \(Installation.gateway) search")
                ] : [])
        let isObject = if case .fields = format { true } else { isJSON }
        let output = isObject ? try AnswerJSON.candidates(candidates, asked: film.asked) : nil
        var answer = Answer(notes: ["\(Installation.gateway): \(what)"] + lines, exitStatus: ExitStatus.noInput)
        if let output { answer.output = output + Array("\n".utf8) }
        return answer
    }
}

extension Failure {
    /// No film has that rank or title.
    fileprivate static func unknown(_ film: FilmReference, on day: Day) -> Failure {
        let message =
            switch film {
            case .rank(let rank) where rank > 10:
                LocalizedText(
                    ko: "\(day) 차트에 \(film.text.with(.topic)) 없습니다. 차트는 10위까지만 제공됩니다. '#1'~'#10'을 지정하세요.",
                    en: "The chart of \(day) has no \(film.text): a chart lists ten films. Give '#1' to '#10'.")
            case .rank:
                LocalizedText(
                    ko: "\(day) 차트에 \(film.text.with(.topic)) 없습니다. 차트 확인: \(Installation.gateway) chart \(day)",
                    en:
                        "The chart of \(day) has no \(film.text). To see the chart: \(Installation.gateway) chart \(day)"
                )
            case .code, .title:
                LocalizedText(
                    ko:
                        "제목에 \("'\(film.text)'".with(.subject)) 들어간 영화를 찾지 못했습니다(저장된 차트, 아카이브, KOBIS 목록). 제목의 일부나 영화 코드를 지정하세요. 성인 영화는 \(Installation.gateway) search --adult로 찾습니다.",
                    en:
                        "No film matches '\(film.text)' in the cached charts, the archive or the KOBIS catalogue. Use part of the title or the KOBIS code. To include adult films: \(Installation.gateway) search --adult TITLE."
                )
            }
        return Failure(.notFound, message, isRetryable: false)
    }
}
