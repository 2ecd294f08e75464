import Domain
import Localization
import Wording

/// What a page says of itself, to browsers, search engines and in links to it.
struct PageHead {
    /// Of this page; nil for a page of an error.
    var address: PageAddress?
    let title: String
    let description: String
    /// The date that the page is about.
    var date: Day?
    /// Whether the address as JSON has the same answer.
    var hasJSON = false
    /// Whether search engines may list the page.
    var isIndexed = true
    /// What is being searched for.
    var query = ""
    var script: String?
    /// The absolute address of an image, for links to the page.
    var shareImage: String?
    /// A browser begins to paint when it has the element with this id, so that nothing moves afterwards.
    var ready = "end"
}

/// What stands around the content of every page.
extension PageFrame {
    func page(_ head: PageHead, _ main: HTML) -> [UInt8] { (opening(head) + main + closing(head)).bytes }

    /// Everything before the content.
    func opening(_ head: PageHead) -> HTML {
        let site = language("박스오피스", "Korean box office")
        return """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(head.title) · \(site)</title>
            <meta name="description" content="\(head.description)">
            <meta property="og:type" content="website">
            <meta property="og:site_name" content="\(site)">
            <meta property="og:title" content="\(head.title)">
            <meta property="og:description" content="\(head.description)">
            \(links(head))</head>
            <body>
            <a class="skip" href="#main">\(language("본문으로", "Skip to the content"))</a>
            <header class="site">
            <a class="brand" href="\(localized("/"))"><span aria-hidden="true">▲</span> \(site)</a>
            \(menu(head))\(isStatic ? nil : searchForm(head) + otherLanguage(head))</header>
            <main id="main">

            """
    }

    /// Everything after the content.
    func closing(_ head: PageHead) -> HTML {
        let credit = language(
            "자료: 영화진흥위원회(KOBIS). 2011년 이전 수치에는 집계되지 않은 극장이 있습니다. 영화진흥위원회와 무관한 사이트입니다.",
            "Data: KOBIS (Korean Film Council). Figures before 2011 do not cover all cinemas. This site is not affiliated with KOFIC."
        )
        return """
            </main>
            <footer id="end">
            <p>\(credit)</p>
            <p class="links">\(footerLinks(head))</p>
            </footer>
            </body>
            </html>

            """
    }

    private func footerLinks(_ head: PageHead) -> HTML {
        let month = link(.month(Month(of: head.date ?? yesterday)), language("월별 순위", "Films of the month"))
        let feed = PageLink(href: localized("/feed.atom"), text: language("피드", "Feed"))
        let activity = link(.activity(ActivityFilter()), language("처리 과정", "How answers are made"))
        let others = [
            link(.records(), language("흥행 기록", "Records")),
            link(.compare([], .release), language("영화 비교", "Compare films")),
            hasHow ? activity : nil, link(.about, language("출처와 안내", "Sources and notes")),
            json(head).map { PageLink(href: $0, text: "JSON") },
        ].compactMap(\.self)
        let links = [month, feed] + (isStatic ? [] : others)
        return "\(links.map { "<a href=\"\($0.href)\">\($0.text)</a> " as HTML })"
    }

    private func json(_ head: PageHead) -> String? { head.hasJSON ? head.address?.path(as: ".json") : nil }

    private func links(_ head: PageHead) -> HTML {
        // Each language has an address of its own, to which its page in the reader's language leads as well.
        let canonical = site.flatMap { site in head.address.map { site + localized($0.path(), language) } }
        let lines: [HTML?] = [
            canonical.map {
                "<link rel=\"canonical\" href=\"\($0)\">\n<meta property=\"og:url\" content=\"\($0)\">\n"
            },
            head.shareImage.map { "<meta property=\"og:image\" content=\"\($0)\">\n" },
            head.isIndexed ? nil : "<meta name=\"robots\" content=\"noindex\">\n",
            """
            <link rel="icon" href="\(assets.icon)" type="image/svg+xml">
            <link rel="stylesheet" href="\(assets.stylesheet)">
            <link rel="expect" href="#\(head.ready)" blocking="render">

            """,
            alternates(head),
            "<link rel=\"alternate\" type=\"application/atom+xml\" href=\"\(localized("/feed.atom"))\">\n",
            json(head).map { "<link rel=\"alternate\" type=\"application/json\" href=\"\($0)\">\n" },
            isStatic ? nil : head.script.map { "<script type=\"module\" src=\"\($0)\"></script>\n" },
        ]
        return "\(lines.compactMap(\.self))"
    }

    /// Only absolute addresses are of use to a search engine.
    private func alternates(_ head: PageHead) -> HTML? {
        guard let site, head.isIndexed, let path = head.address?.path() else { return nil }
        let languages = Language.allCases.map { ($0.rawValue, site + localized(path, $0)) }
        let links = (languages + [("x-default", site + path)]).map { name, address -> HTML in
            "<link rel=\"alternate\" hreflang=\"\(name)\" href=\"\(address)\">\n"
        }
        return "\(links)"
    }

    private func address(_ head: PageHead, in other: Language) -> String {
        localized(head.address?.path() ?? "/", other)
    }

    private func menu(_ head: PageHead) -> HTML {
        let wording = ChartWording(language: language)
        let month = Month(of: head.date ?? yesterday)
        if isStatic {
            return """
                <nav aria-label="\(language("메뉴", "Menu"))">
                <a href="\(href(.month(month)))">\(wording.month(month))</a>
                <a href="\(href(.year(month.year)))">\(wording.year(month.year))</a>
                </nav>

                """
        }
        return """
            <nav aria-label="\(language("메뉴", "Menu"))">
            \(item(localized("/"), language("어제", "Yesterday"), head.address == .chart(.daily(yesterday), .list)))\
            \(item(.chart(ChartSelection(.weekly, around: lastWeek), .list), language("주간", "Week"), head))\
            \(item(.calendar(month), language("달력", "Calendar"), head))\
            \(item(.month(month), language("월별", "Month"), head))\
            \(item(.records(), language("기록", "Records"), head))\
            \(item(.compare([], .release), language("비교", "Compare"), head))\
            \(item(.search(FilmSearch(pageSize: FilmSearch.usualPageSize)), language("검색", "Search"), head, "to-search"))</nav>

            """
    }

    private func item(_ address: PageAddress, _ text: String, _ head: PageHead, _ style: String = "") -> HTML {
        item(
            href(address), text, head.address?.path().prefix { $0 != "?" } == address.path().prefix { $0 != "?" }, style
        )
    }

    private func item(_ href: String, _ text: String, _ isCurrent: Bool, _ style: String = "") -> HTML {
        let current: HTML? = isCurrent ? " aria-current=\"page\"" : nil
        return "<a class=\"\(style)\" href=\"\(href)\"\(current)>\(text)</a>\n"
    }

    private func searchForm(_ head: PageHead) -> HTML {
        let label = language("영화 제목", "Film title")
        return """
            <form class="search" action="/search" role="search">
            <input type="search" name="q" value="\(head.query)" aria-label="\(label)" placeholder="\(label)" \
            maxlength="100" required>
            \(languageField)
            <button>\(language("검색", "Search"))</button>
            </form>

            """
    }

    private func otherLanguage(_ head: PageHead) -> HTML {
        let links: [HTML] = Language.allCases.filter { $0 != language }.map { other in
            """
            <a class="language" href="\(address(head, in: other))" lang="\(other.rawValue)" \
            hreflang="\(other.rawValue)">\(other == .ko ? "한국어" : "English")</a>

            """
        }
        return "\(links)"
    }
}
