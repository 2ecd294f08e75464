import Assembly
import Contracts
import Domain
import Envelope
import Localization
import Wording

/// A search of the catalogue: its form, and the films that match.
struct SearchPage {
    let frame: PageFrame
    let posters: PosterUse

    private var language: Language { frame.language }
    private var wording: FilmWording { FilmWording(language: language) }
    private var kind: String { language("영화 검색", "Film search") }

    /// What a search has found.
    struct Answers {
        let outcome: PartOutcome
        let page: FilmPage
        /// The films of archived charts whose titles match; nil when they were not asked for.
        let archived: ArchiveTitlesReply?
        /// The stored posters of the films, by code.
        let posters: [String: Poster]
    }

    /// Without criteria.
    func form() -> [UInt8] {
        let text = language(
            "한국어나 영어 제목의 일부, 감독 이름, 개봉 연도로 찾습니다.",
            "Search by a part of the Korean or English title, the director or the years of release.")
        return page(FilmSearch(pageSize: FilmSearch.usualPageSize), title: kind, "<p class=\"state\">\(text)</p>", "")
    }

    /// - Parameter how: the link to how the query was answered.
    func html(_ search: FilmSearch, _ answers: Answers, how: PageLink?) -> [UInt8] {
        let parts = PartWording(language: language)
        let notes = parts.note(answers.outcome, parts.search) { VisitorWording(language: language).reason($0) }
        let films = answers.page.films
        let state: HTML = """
            <p class="state">\(count(answers.page, search, films.count, isCharted: answers.archived.map { !$0.films.isEmpty }))\(frame.label(answers.outcome.source).map { " · \($0)" })</p>
            """
        return page(
            search, title: title(search), state,
            """
            \(frame.notes(notes))\(charted(answers))\(catalogue(answers))\(arrows(search, answers.page))\(frame.how(how))
            """)
    }

    /// The films that were in a chart stand first.
    private func charted(_ answers: Answers) -> HTML? {
        guard let archived = answers.archived, !archived.films.isEmpty else { return nil }
        let title = language("박스오피스에 오른 영화", "Films of the box office")
        return """
            <h2>\(title)</h2>
            <ul class="results">
            \(archived.summaries.prefix(20).map { row($0, answers.posters[$0.code]) })</ul>

            """
    }

    private func catalogue(_ answers: Answers) -> HTML? {
        guard !answers.page.films.isEmpty else {
            guard answers.archived?.films.isEmpty != false else { return nil }
            let text = language(
                "제목의 일부만 쓰거나, 띄어쓰기와 철자를 바꾸거나, 연도를 빼고 찾아 보세요.",
                "Try a part of the title, another spelling, or clear the years.")
            return "<p class=\"note\">\(text)</p>\n"
        }
        let title = language("KOBIS 목록", "KOBIS catalogue")
        return """
            <h2>\(title)</h2>
            <ul class="results">
            \(answers.page.films.map { row($0, answers.posters[$0.code]) })</ul>

            """
    }

    private func page(_ search: FilmSearch, title: String, _ state: HTML, _ main: HTML) -> [UInt8] {
        let head = PageHead(
            address: .search(search), title: title, description: kind, hasJSON: !search.isEmpty, isIndexed: false,
            query: search.title ?? "", script: frame.assets.keysScript)
        return frame.page(
            head,
            """
            <div class="head"><p class="kind">\(search.isEmpty ? "" : kind)</p><h1>\(title)</h1>
            \(state)</div>
            \(form(search))\(main)
            """)
    }

    private func form(_ search: FilmSearch) -> HTML {
        func field(_ name: String, _ label: String, _ value: String?, _ more: HTML = "") -> HTML {
            """
            <label>\(label) <input name="\(name)" value="\(value ?? "")" maxlength="100"\(more)></label>

            """
        }
        let years = search.openingYears.map {
            $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : FilmSearch.text($0)
        }
        return """
            <form class="fields" action="/search" role="search" aria-label="\(kind)">
            \(field("q", language("제목", "Title"), search.title))\(field("director", language("감독", "Director"), search.director))\
            \(field("opened", language("개봉 연도", "Release years"), years, " placeholder=\"\(language("예: 2019-2021", "e.g. 2019-2021"))\" pattern=\"[0-9]{4}(-[0-9]{4})?\""))\
            \(frame.languageField)<button>\(language("검색", "Search"))</button></form>

            """
    }

    private func title(_ search: FilmSearch) -> String {
        let words = [
            search.title, search.director.map { language("감독 \($0)", "directed by \($0)") },
            search.openingYears.map { years in
                let text = years.lowerBound == years.upperBound ? "\(years.lowerBound)" : FilmSearch.text(years)
                return language("\(text)년 개봉", "released \(text)")
            },
        ]
        return words.compactMap(\.self).joined(separator: " · ")
    }

    private func arrows(_ search: FilmSearch, _ page: FilmPage) -> HTML {
        let number = search.page.value
        func link(_ page: Int) -> PageLink? {
            guard let number = PageNumber(page) else { return nil }
            var other = search
            other.page = number
            return frame.link(.search(other), language("\(page)쪽", "page \(page)"))
        }
        let isLast = number * search.pageSize.value >= page.total.value
        return frame.arrows(
            language("다른 쪽", "Other pages"),
            previous: link(number - 1).map { "<a rel=\"prev\" href=\"\($0.href)\">‹ \($0.text)</a>" },
            next: isLast ? nil : link(number + 1).map { "<a rel=\"next\" href=\"\($0.href)\">\($0.text) ›</a>" })
    }

    /// With the order, which is the catalogue's.
    private func count(_ page: FilmPage, _ search: FilmSearch, _ shown: Int, isCharted: Bool?) -> String {
        guard page.total.value > 0 else {
            if search.hasForeignTitle {
                guard let isCharted else {
                    return language(
                        "KOBIS 목록은 한국어 제목으로만 검색됩니다.", "KOBIS can be searched by Korean titles only.")
                }
                return isCharted
                    ? language(
                        "KOBIS 목록은 한국어 제목으로만 검색됩니다. 저장된 차트에서 찾은 영화입니다.",
                        "KOBIS can be searched by Korean titles only. These films are from archived charts.")
                    : language(
                        "KOBIS 목록은 한국어 제목으로만 검색되며, 저장된 차트에도 없습니다.",
                        "Not in archived charts; KOBIS can be searched by Korean titles only.")
            }
            return isCharted == true
                ? language(
                    "KOBIS 목록에는 없고, 저장된 차트에 있는 영화입니다.",
                    "KOBIS's catalogue has no film of this title; archived charts do.")
                : language("KOBIS 목록에는 없습니다.", "KOBIS's catalogue has no such film.")
        }
        let total = page.total.value.withSeparators
        let count =
            shown == page.total.value
            ? language("\(total)편", page.total.value == 1 ? "1 film" : "\(total) films")
            : language("\(total)편 가운데 \(shown)편", "\(shown) of \(total) films")
        return count + language(" · KOBIS 목록 순서", " · in the order of KOBIS")
    }

    private func row(_ film: FilmSummary, _ poster: Poster?) -> HTML {
        let link = frame.href(.film(film.code))
        let image = posters == .proxy ? poster.map { frame.image(of: $0, code: film.code) } : nil
        // One year: that of the release, or of an unreleased film's production.
        let year = film.opening == nil ? film.productionYear : nil
        let words = [
            film.opening.map { language("\($0) 개봉", "opened \($0)") },
            wording.list(film.directors.map { wording.shortName($0.name, english: $0.nameEnglish) }),
            wording.list(film.genres.map(wording.term)), wording.list(film.nations.map(wording.term)),
            film.opening == nil ? film.status.map(wording.term) : nil,
        ].compactMap(\.self)
        let summary: HTML? =
            words.isEmpty ? nil : "<p class=\"summary\"><bdi>\(words.joined(separator: " · "))</bdi></p>"
        return """
            <li>\(frame.thumbnail(image, film.title))<div><a href="\(link)">\(frame.title(film.title, english: film.titleEnglish))</a>\
            \(year.map { " <span class=\"year\">(\($0))</span>" as HTML })\(summary)</div></li>

            """
    }
}
