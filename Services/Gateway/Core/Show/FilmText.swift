import Assembly
import BoxOffice
import Contracts
import Envelope
import Localization
import ProcessKit
import TerminalText
import Wording

/// A film's detail as text: one line below a chart's row, or all fields.
struct FilmText {
    let language: Language
    var wording: FilmWording { FilmWording(language: language) }

    /// 재진입 · 감독 · 관람등급 · 상영시간 · 장르 · poster site; each missing or stale part adds a note.
    func summary(
        detail: PartOutcome?, poster: PartOutcome?, isReentry: Bool = false
    ) throws -> (line: String?, notes: [String]) {
        var words = isReentry ? [wording.reentry] : []
        if let value = detail?.value {
            let film = try JSONBytes.decode(FilmBrief.self, from: value)
            words += [
                wording.list(film.directors.map(\.name)), film.ratings.currentGrade,
                film.runningMinutes.map(wording.minutes), wording.list(film.genres),
            ].compactMap { $0?.printable }
        }
        if let value = poster?.value {
            words.append(try provenance(value))
        }
        return (
            words.isEmpty ? nil : words.joined(separator: " · "),
            note(detail, language("상세", "detail")) + note(poster, language("포스터", "poster"))
        )
    }

    /// A short description of a poster: its site, age and certainty, or that there is none.
    func caption(poster outcome: PartOutcome?) throws -> String {
        guard let outcome, let value = outcome.value else {
            return outcome?.status == .failed
                ? language("포스터 없음", "no poster") : language("포스터 시간 초과", "poster too late")
        }
        return try provenance(value, isOld: outcome.status == .stale)
    }

    /// The poster's site and its certainty.
    private func provenance(_ value: [UInt8], isOld: Bool = false) throws -> String {
        let poster = try JSONBytes.decode(PosterBrief.self, from: value)
        let site = wording.site(poster.site).printable
        let old = isOld ? language(" (오래됨)", " (stale)") : ""
        return language("포스터 ", "poster ") + site + old + wording.certainty(poster.confidence)
    }

    /// The reason why a part is missing or stale.
    func note(_ part: PartOutcome?, _ name: String) -> [String] {
        guard let part else { return ["\(name): \(language("도착하지 않음", "did not arrive"))"] }
        let reason =
            part.isRevalidating
            ? language("새 자료를 요청했습니다.", "A fresh one has been asked for.")
            : part.failure.map { FailureText(language: language).line($0) }
        switch part.status {
        case .ok: return []
        case .failed, .timeout: return ["\(name): \(reason ?? part.status.rawValue)"]
        case .stale:
            let age = (part.cache?.age).map { " (\(AgeText(language: language).text($0)))" } ?? ""
            let cause = reason.map { " — \($0)" } ?? ""
            return ["\(name): \(language("오래된 자료", "stale"))\(age)\(cause)"]
        }
    }

    /// The eight fields of a detail, one per line.
    func fields(_ film: FilmDetail) -> [String] {
        TextTable.labelled(wording.fields(film).map { ($0.label, $0.text.printable) })
    }
}
