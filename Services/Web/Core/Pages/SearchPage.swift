import Assembly
import Contracts
import Domain
import Envelope
import Localization
import Wording

/// The films whose titles contain a text.
struct SearchPage {
    let frame: PageFrame

    private var language: Language { frame.language }
    private var wording: FilmWording { FilmWording(language: language) }

    /// - Parameters:
    ///   - archived: the films of the archive, for a search without films in the catalogue.
    ///   - how: the link to how the query was answered.
    func html(
        _ search: FilmSearch, _ outcome: PartOutcome, _ page: FilmPage, archived: ArchiveTitlesReply?, how: PageLink?
    ) -> [UInt8] {
        let text = search.title ?? ""
        let number = search.page.value
        let parts = PartWording(language: language)
        let notes = parts.note(outcome, parts.search) { FailureWording(language: language).line($0) }
        let isLast = number * search.pageSize.value >= page.total.value || PageNumber(number + 1) == nil
        let arrows = frame.arrows(
            language("다른 쪽", "Other pages"),
            previous: number > 1
                ? link(text, number - 1).map { "<a rel=\"prev\" href=\"\($0.href)\">‹ \($0.text)</a>" } : nil,
            next: isLast ? nil : link(text, number + 1).map { "<a rel=\"next\" href=\"\($0.href)\">\($0.text) ›</a>" })
        let head = PageHead(
            address: .search(text, page: number), title: text, description: language("영화 검색", "Film search"),
            hasJSON: true,
            isIndexed: false, query: text)
        return frame.page(
            head,
            """
            <div class="head"><p class="kind">\(language("검색", "Search"))</p><h1>\(text)</h1>\
            <p class="state">\(count(page, page.films.count))\(frame.label(outcome.source).map { " · \($0)" })</p></div>
            \(frame.notes(notes))<ul class="results">
            \(page.films.map(row))</ul>
            \(archived.map(archive))
            \(arrows)\(frame.how(how))
            """)
    }

    /// The films that only the archive has found, or what to try.
    private func archive(_ archived: ArchiveTitlesReply) -> HTML {
        guard !archived.films.isEmpty else {
            let text = language(
                "제목의 일부만 쓰거나 다른 철자로 찾아 보세요.", "Try a part of the title, or another spelling.")
            return "<p class=\"note\">\(text)</p>\n"
        }
        let title = language("저장된 차트의 영화", "Films of the archived charts")
        return "<h2>\(title)</h2>\n<ul class=\"results\">\n\(archived.summaries.map(row))</ul>\n"
    }

    private func count(_ page: FilmPage, _ shown: Int) -> String {
        guard page.total.value > 0 else { return language("찾은 영화가 없습니다.", "No film was found.") }
        let total = page.total.value.withSeparators
        return shown == page.total.value
            ? language("\(total)편", "\(total) films")
            : language("\(total)편 가운데 \(shown)편", "\(shown) of \(total) films")
    }

    private func link(_ text: String, _ page: Int) -> PageLink? {
        frame.link(.search(text, page: page), language("\(page)쪽", "page \(page)"))
    }

    private func row(_ film: FilmSummary) -> HTML {
        let words = [
            film.opening ?? film.productionYear.map(String.init),
            wording.list(film.directors.map { wording.name($0.name, english: $0.nameEnglish) }),
            wording.list(film.genres.map(wording.term)), wording.list(film.nations.map(wording.term)),
            film.status.map(wording.term),
        ].compactMap(\.self)
        let summary: HTML? =
            words.isEmpty ? nil : "<p class=\"summary\"><bdi>\(words.joined(separator: " · "))</bdi></p>"
        return """
            <li><a href="\(frame.href(.film(film.code)))">\(frame.title(film.title, english: film.titleEnglish))</a>\
            \(summary)</li>

            """
    }
}
