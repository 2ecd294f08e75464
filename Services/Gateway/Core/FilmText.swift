import BoxOffice
import Envelope

/// A film's detail as text: one line below a chart's row, or all of its fields.
struct FilmText {
    let language: Language

    /// 감독 · 관람등급 · 상영시간 · 장르 · poster site, or why a part is not there; more than one line when parts failed.
    func summary(detail: PartOutcome?, poster: PartOutcome?) throws -> [String] {
        var words: [String] = []
        var notes: [String] = []
        if let value = detail?.value {
            let film = try JSONBytes.decode(FilmDetail.self, from: value)
            words = [
                film.directors.map(\.name).joined(separator: ", "), film.currentGrade ?? "",
                film.runningMinutes.map(minutes) ?? "", film.genres.joined(separator: ", "),
            ].filter { !$0.isEmpty }
        }
        if let value = poster?.value {
            let poster = try JSONBytes.decode(Poster.self, from: value)
            words.append(language("포스터 ", "poster ") + (poster.site ?? language("출처 없음", "unknown site")))
        }
        if !words.isEmpty { notes.append(words.joined(separator: " · ")) }
        notes += note(detail, language("상세", "detail")) + note(poster, language("포스터", "poster"))
        return notes
    }

    /// Why a part is missing or old.
    func note(_ part: PartOutcome?, _ name: String) -> [String] {
        guard let part, part.status != .ok else { return [] }
        let reason = part.failure.map { FailureText(language: language).line($0) } ?? ""
        guard part.status == .stale else { return ["\(name): \(reason)"] }
        let age = (part.cache?.age).map { AgeText(language: language).text($0) } ?? ""
        return ["\(name): \(language("오래된 자료", "stale")) (\(age)) — \(reason)"]
    }

    /// All eight fields, in the order of the seeds.
    func fields(_ film: FilmDetail) -> [String] {
        let rows = [
            (language("감독", "Director"), list(film.directors.map(\.name))),
            (language("제작년도", "Produced"), film.productionYear.map(String.init)),
            (language("개봉일", "Opened"), film.openingDay?.iso),
            (language("상영시간", "Running time"), film.runningMinutes.map(minutes)),
            (language("관람등급", "Rating"), film.currentGrade),
            (language("제작국가", "Countries"), list(film.nations)),
            (language("장르", "Genres"), list(film.genres)),
            (language("배우", "Cast"), list(film.actors.map(\.name))),
        ]
        let width = rows.map { TextWidth.columns($0.0) }.max() ?? 0
        return rows.map { "\(TextWidth.padded($0.0, to: width))  \($0.1 ?? language("정보 없음", "unknown"))" }
    }

    private func minutes(_ count: Int) -> String { language("\(count)분", "\(count) min") }

    private func list(_ items: [String]) -> String? {
        items.isEmpty ? nil : items.joined(separator: ", ")
    }
}
