import Assembly
import Domain
import Envelope
import Localization
import Wording
import Zlib

/// What all pages know: their reader's language, the date, and the addresses that they link to.
struct PageFrame: Sendable {
    let language: Language
    /// Whether the address names the language; then links keep it.
    let isLanguageChosen: Bool
    /// Yesterday in Seoul.
    let yesterday: Day
    let assets: Assets
    /// The address of the site for other programs; nil: none is named.
    let site: String?
    /// Whether pages say how they were answered.
    var hasHow = false
    /// Whether the page becomes a file: then it has no forms.
    var isStatic = false
    /// The English titles of films, by code, as far as the page knows them.
    var englishTitles: [String: String] = [:]

    /// The link to a page, in the reader's language.
    func href(_ address: PageAddress) -> String { localized(address.path()) }

    /// - Parameter other: a language to name; nil: the reader's, if the address names it.
    func localized(_ path: String, _ other: Language? = nil) -> String {
        guard other != nil || isLanguageChosen else { return path }
        return path + (path.contains("?") ? "&" : "?") + "lang=\((other ?? language).rawValue)"
    }

    func link(_ address: PageAddress, _ text: String) -> PageLink { PageLink(href: href(address), text: text) }

    /// The address of a film's image; another poster has another one, so that no kept image takes its place.
    func image(of poster: Poster, code: String) -> String {
        "/posters/\(code)?v=\(String(Zlib.crc32(Array(poster.imageURL.utf8)), radix: 16))"
    }

    /// A day of the latest week that is over, or of the current one when there is none.
    var lastWeek: Day {
        Week(of: yesterday).days.upperBound <= yesterday ? yesterday : yesterday.advanced(by: -7)
    }
}

struct PageLink {
    let href: String
    let text: String
}

/// Markup that several pages have.
extension PageFrame {
    /// The title of a film: in English where it is known, and the Korean one marked as such.
    func title(_ korean: String, english: String?) -> HTML {
        guard language == .en else { return "<bdi>\(korean)</bdi>" }
        guard let english, !english.isEmpty, english != korean else { return "<bdi lang=\"ko\">\(korean)</bdi>" }
        guard !korean.isEmpty else { return "<bdi>\(english)</bdi>" }
        return "<bdi>\(english)</bdi> <bdi class=\"other\" lang=\"ko\">\(korean)</bdi>"
    }

    /// The days below a plot.
    func axis(_ days: ClosedRange<Day>) -> HTML {
        let middle = days.lowerBound.advanced(by: days.count / 2)
        let all = days.count > 14 ? [days.lowerBound, middle, days.upperBound] : [days.lowerBound, days.upperBound]
        return "<p class=\"axis\" aria-hidden=\"true\">\(all.map { "<span>\($0.iso)</span>" as HTML })</p>\n"
    }

    /// A page in words, for lists of pages.
    ///
    /// - Parameter titles: of films, by code.
    func name(_ address: PageAddress, titles: [String: String]) -> String {
        let wording = ChartWording(language: language)
        switch address {
        case .chart(let selection, _):
            return ([wording.title(selection.kind), wording.days(selection.days)] + [wording.filter(selection.filter)])
                .compactMap(\.self).joined(separator: " ")
        case .film(let code, _): return titles[code] ?? language("영화 \(code)", "film \(code)")
        case .search(let search):
            let text = [search.title, search.director].compactMap(\.self).joined(separator: " · ")
            return language("검색 \(text)", "search \(text)")
        case .calendar(let month): return language("\(wording.month(month)) 달력", "calendar of \(wording.month(month))")
        case .month(let month): return wording.month(month)
        case .year(let year): return wording.year(year)
        case .compare: return language("영화 비교", "compared films")
        case .records: return language("흥행 기록", "records")
        case .about: return language("안내", "notes")
        case .how, .activity: return language("처리 과정", "how answers are made")
        }
    }

    /// The title of a film in the reader's language, as far as it is known.
    func title(of code: String, _ korean: String) -> HTML { title(korean, english: englishTitles[code]) }

    /// A title without markup, for texts and fields.
    func plainTitle(of code: String, _ korean: String) -> String {
        language == .en ? englishTitles[code].flatMap { $0.isEmpty ? nil : $0 } ?? korean : korean
    }

    /// When a part was fetched: a page that is kept shows a moment, since an age would soon be wrong.
    ///
    /// - Parameter now: Unix time in seconds.
    func moment(of part: PartOutcome, now: Double) -> HTML {
        // Its age comes from a message.
        let moment = ChartWording(language: language).fetched(at: now - Double(max(0, part.cache?.age ?? 0)))
        return " · <time datetime=\"\(moment.machine)\">\(moment.text)</time>"
    }

    /// The mark of data that is not genuine.
    func label(_ source: DataSource?) -> HTML? {
        guard let text = source?.label?(language) else { return nil }
        return "<strong class=\"label\">\(text)</strong>"
    }

    /// The mark of a part that is less genuine than what it stands beside: an invented detail of a real film.
    func mark(_ part: DataSource?, beside main: DataSource?) -> HTML? {
        guard let part, let main, part < main else { return nil }
        return label(part)
    }

    /// The site of a poster, with a link to the page that it comes from; nil when posters are not shown.
    func source(of poster: Poster, _ use: PosterUse) -> HTML? {
        guard use != .off else { return nil }
        let wording = FilmWording(language: language)
        let name = wording.site(poster.site) + wording.certainty(poster.confidence)
        // The address comes from the upstream: a link must not run a script.
        guard ["http://", "https://"].contains(where: poster.pageURL.hasPrefix) else { return "\(name)" }
        return "<a href=\"\(poster.pageURL)\" rel=\"noreferrer nofollow\">\(name)</a>"
    }

    /// A small poster beside the title, or the first letter of the title in its place.
    func thumbnail(_ image: String?, _ title: String) -> HTML {
        image.map { "<img src=\"\($0)\" alt=\"\" width=\"70\" height=\"100\" loading=\"lazy\" decoding=\"async\">" }
            ?? "<span class=\"empty\" aria-hidden=\"true\">\(Self.initial(of: title))</span>"
    }

    static func initial(of title: String) -> String {
        title.first { $0.isLetter || $0.isNumber }.map(String.init) ?? ""
    }

    func notes(_ texts: [String]) -> HTML { "\(texts.map { "<p class=\"note\">\($0)</p>\n" })" }

    /// The link to how the query was answered.
    func how(_ link: PageLink?) -> HTML? {
        link.map { "<p class=\"how\"><a href=\"\($0.href)\">\($0.text)</a></p>\n" }
    }

    /// The links to what is before and after this page, around what stands between them.
    func arrows(
        _ name: String, style: String = "days", previous: HTML?, next: HTML?, between: HTML? = nil
    ) -> HTML {
        """
        <nav class="\(style)" aria-label="\(name)">\(previous ?? "<span></span>")
        \(between)\(next ?? "<span></span>")</nav>

        """
    }

    /// - Parameter date: that it begins with.
    func dateForm(_ date: Day?) -> HTML {
        if isStatic { return "<span></span>" }
        return """
            <form class="date" action="/go">
            <label>\(language("날짜", "Date")) <input type="date" name="date" value="\((date ?? yesterday).iso)" \
            min="\(Day.firstChart.iso)" max="\(yesterday.iso)" required></label>
            \(languageField)
            <button>\(language("보기", "Show"))</button>
            </form>

            """
    }

    /// Keeps the chosen language in the address that a form leads to.
    var languageField: HTML? {
        isLanguageChosen ? "<input type=\"hidden\" name=\"lang\" value=\"\(language.rawValue)\">" : nil
    }
}
