import Assembly
import Domain
import Envelope
import Localization
import Wording

/// The films whose titles contain a text.
struct SearchPage {
    let frame: PageFrame

    private var language: Language { frame.language }
    private var wording: FilmWording { FilmWording(language: language) }

    func values(_ search: FilmSearch, _ outcome: PartOutcome, _ page: FilmPage) -> [String: Any] {
        let text = search.title ?? ""
        let films = page.films
        let number = search.page.value
        var values = frame.values(
            .search(text, page: number), title: text, description: language("영화 검색", "Film search"), hasJSON: true,
            isIndexed: false)
        let parts = PartWording(language: language)
        values["kind"] = language("검색", "Search")
        values["query"] = text
        values["count"] = count(page, films.count)
        values["label"] = outcome.source?.label?(language)
        values["films"] = films.map(row)
        values["notes"] = parts.note(outcome, parts.search) { FailureWording(language: language).line($0) }
        values["pagesLabel"] = language("다른 쪽", "Other pages")
        if number > 1 { values["previous"] = link(text, number - 1) }
        let isLast = number * search.pageSize.value >= page.total.value
        if !isLast, PageNumber(number + 1) != nil { values["next"] = link(text, number + 1) }
        return values
    }

    private func count(_ page: FilmPage, _ shown: Int) -> String {
        guard page.total.value > 0 else { return language("찾은 영화가 없습니다.", "No film was found.") }
        let total = page.total.value.withSeparators
        return shown == page.total.value
            ? language("\(total)편", "\(total) films")
            : language("\(total)편 가운데 \(shown)편", "\(shown) of \(total) films")
    }

    private func link(_ text: String, _ page: Int) -> [String: Any] {
        frame.link(.search(text, page: page), language("\(page)쪽", "page \(page)"))
    }

    private func row(_ film: FilmSummary) -> [String: Any] {
        var row = frame.title(film.title, english: film.titleEnglish)
        row["href"] = frame.href(.film(film.code))
        let words = [
            film.opening ?? film.productionYear.map(String.init),
            wording.list(film.directors.map { wording.name($0.name, english: $0.nameEnglish) }),
            wording.list(film.genres.map(wording.term)), wording.list(film.nations.map(wording.term)),
            film.status.map(wording.term),
        ].compactMap(\.self)
        row["summary"] = words.isEmpty ? nil : words.joined(separator: " · ")
        return row
    }
}
