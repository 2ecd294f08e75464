import Assembly
import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import TerminalText
import Wording

/// A film's detail as text: one line below a chart's row, or all fields.
struct FilmText {
    let language: Language
    var style = TextStyle.plain
    var width = TextWidth.narrow
    /// Columns of the terminal; nil without a limit.
    var columns: Int?
    var wording: FilmWording { FilmWording(language: language) }
    var parts: PartWording { PartWording(language: language) }

    /// 재진입 · 감독 · 관람등급 · 상영시간 · 장르 · poster site; a part without a value is named as missing.
    ///
    /// - Parameter room: columns of the line; nil without a limit.
    func summary(_ film: ShowAssembly.Film, isReentry: Bool = false, room: Int? = nil) throws -> TextPiece {
        var words = isReentry ? [wording.reentry] : []
        if let value = film.detail?.value {
            let brief = try JSONBytes.decode(FilmBrief.self, from: value)
            words += [
                wording.list(brief.directors.map { wording.name($0.name, english: $0.nameEnglish) }),
                brief.currentGrade.map(wording.term), brief.runningMinutes.map(wording.minutes),
                wording.list(brief.genres.map(wording.term)),
            ].compactMap { $0?.printable }
        } else {
            words.append(parts.missing(film.detail, parts.name(.detail)))
        }
        var page: String?
        if let value = film.poster?.value {
            let poster = try JSONBytes.decode(PosterBrief.self, from: value)
            words.append(provenance(poster))
            page = poster.chosen.pageURL
        } else {
            words.append(parts.missing(film.poster, parts.name(.poster)))
        }
        let line = TextPiece(words.joined(separator: " · ")) { line in
            guard let page, let poster = words.last else { return line }
            return line.dropLast(poster.count) + style.link(poster, to: page)
        }
        return room.map { line.cut(to: $0, width) } ?? line
    }

    /// A note for each missing or stale part of a film.
    func notes(_ film: ShowAssembly.Film) -> [String] {
        parts.notes(film) { FailureText(language: language).line($0) }
    }

    /// A short description of a poster: its site, age and certainty, or that there is none.
    func caption(poster outcome: PartOutcome?) throws -> String {
        guard let outcome, let value = outcome.value else {
            return parts.missing(outcome, parts.name(.poster))
        }
        return provenance(try JSONBytes.decode(PosterBrief.self, from: value), isOld: outcome.status == .stale)
    }

    /// The poster's site and its certainty.
    private func provenance(_ poster: PosterBrief, isOld: Bool = false) -> String {
        let site = wording.site(poster.chosen.site).printable
        let old = isOld ? language(" (오래됨)", " (stale)") : ""
        return language("포스터 ", "poster ") + site + old + wording.certainty(poster.confidence)
    }

    /// The reason why a part is missing or stale.
    func note(_ part: PartOutcome?, _ name: String) -> [String] {
        parts.note(part, name) { FailureText(language: language).line($0) }
    }

    /// The number of actors that text names unless all are wanted.
    private static let castLimit = 8

    /// The eight fields of a detail, each on lines of its own.
    ///
    /// - Parameter isComplete: whether all actors are named.
    func fields(_ film: FilmDetail, isComplete: Bool) -> [String] {
        let fields = wording.fields(film, castLimit: isComplete ? nil : Self.castLimit)
        return TextTable.labelled(fields.map { ($0.label, $0.text.printable) }, columns: columns, width)
    }
}
