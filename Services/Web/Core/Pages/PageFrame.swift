import Assembly
import Domain
import Envelope
import Localization
import Wording
import Zlib

/// What all pages have: the head, the links of the menu, and the forms for a date and for a search.
struct PageFrame: Sendable {
    let language: Language
    /// Whether the address names the language; then links keep it.
    let isLanguageChosen: Bool
    /// Yesterday in Seoul.
    let yesterday: Day
    let assets: Assets
    /// The address of the site for other programs; nil: none is named.
    let site: String?

    /// The link to a page, in the reader's language.
    func href(_ address: PageAddress) -> String { localized(address.path()) }

    func localized(_ path: String, _ other: Language? = nil) -> String {
        guard other != nil || isLanguageChosen else { return path }
        return path + (path.contains("?") ? "&" : "?") + "lang=\((other ?? language).rawValue)"
    }

    /// The address of a film's image; another poster has another one, so that no kept image takes its place.
    func image(of poster: Poster, code: String) -> String {
        "/posters/\(code)?v=\(String(Zlib.crc32(Array(poster.imageURL.utf8)), radix: 16))"
    }

    /// A link as templates use it.
    func link(_ address: PageAddress, _ text: String) -> [String: Any] { ["href": href(address), "text": text] }

    /// The values of a moment, as templates use it.
    func momentValues(of part: PartOutcome, now: Double) -> [String: Any] {
        let moment = moment(of: part, now: now)
        return ["machine": moment.machine, "text": moment.text]
    }

    /// The values of the layout.
    ///
    /// - Parameters:
    ///   - address: of this page; nil for a page of an error.
    ///   - date: the date that the form begins with.
    ///   - isIndexed: whether search engines may list the page.
    func values(
        _ address: PageAddress?, title: String, description: String, date: Day? = nil, hasJSON: Bool = false,
        isIndexed: Bool = true
    ) -> [String: Any] {
        let path = address?.path() ?? "/"
        var values: [String: Any] = [
            "lang": language.rawValue, "title": title, "description": description,
            "site": language("박스오피스", "Korean box office"), "style": assets.stylesheet, "icon": assets.icon,
            "skip": language("본문으로", "Skip to the content"), "menu": language("메뉴", "Menu"),
            "home": localized("/"), "yesterday": language("어제", "Yesterday"),
            "week": href(.chart(ChartSelection(.weekly, around: lastWeek), .list)),
            "weekly": language("주간", "Week"),
            "calendar": href(.calendar(Month(of: date ?? yesterday))), "calendarName": language("달력", "Calendar"),
            "searchLabel": language("영화 제목", "Film title"), "searchButton": language("검색", "Search"),
            "about": href(.about), "aboutName": language("출처와 안내", "Sources and notes"),
            "credit": language(
                "자료: 영화진흥위원회(KOBIS). 2011년 이전 자료는 전국 집계가 아닙니다. 이 페이지는 영화진흥위원회와 관련이 없습니다.",
                "Data: KOBIS (Korean Film Council); before 2011 not of the whole country. This page is not affiliated with it."
            ),
            "alternate": Language.allCases.map { other in
                [
                    "code": other.rawValue, "href": localized(path, other), "current": other == language,
                    "name": other == .ko ? "한국어" : "English",
                ] as [String: Any]
            },
            // A browser begins to paint when it has this element, so that nothing moves afterwards.
            "ready": "end",
            "dateLabel": language("날짜", "Date"), "dateButton": language("보기", "Show"),
            "date": (date ?? yesterday).iso, "firstDate": Day.firstChart.iso, "lastDate": yesterday.iso,
        ]
        if isLanguageChosen { values["chosen"] = language.rawValue }
        if hasJSON, let address { values["json"] = address.path(isJSON: true) }
        if let site, let address { values["canonical"] = site + address.path() }
        values["feed"] = localized("/feed.atom")
        if !isIndexed { values["robots"] = "noindex" }
        return values
    }

    /// The site of a poster, with a link to the page that it comes from; nil when posters are not shown.
    func source(of poster: Poster, _ use: PosterUse) -> [String: Any]? {
        guard use != .off else { return nil }
        let wording = FilmWording(language: language)
        var source: [String: Any] = [
            "text": wording.site(poster.site) + wording.certainty(poster.confidence),
            "sourceName": language("출처", "source"),
        ]
        // The address comes from the upstream: a link must not run a script.
        if ["http://", "https://"].contains(where: poster.pageURL.hasPrefix) { source["href"] = poster.pageURL }
        return source
    }

    /// When a part was fetched: a page that is kept shows a moment, since an age would soon be wrong.
    ///
    /// - Parameter now: Unix time in seconds.
    func moment(of part: PartOutcome, now: Double) -> (text: String, machine: String) {
        // Its age comes from a message.
        ChartWording(language: language).fetched(at: now - Double(max(0, part.cache?.age ?? 0)))
    }

    /// A day of the latest week that is over, or of the current one when there is none.
    private var lastWeek: Day {
        Week(of: yesterday).days.upperBound <= yesterday ? yesterday : yesterday.advanced(by: -7)
    }

    /// The values of a title: in English where it is known, and the Korean one marked as such.
    func title(_ korean: String, english: String?) -> [String: Any] {
        guard language == .en else { return ["titleText": korean] }
        guard let english, !english.isEmpty, english != korean else { return ["titleText": korean, "titleLang": "ko"] }
        return korean.isEmpty ? ["titleText": english] : ["titleText": english, "titleOther": korean]
    }
}
