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

    /// The link to a page, in the reader's language.
    func href(_ address: PageAddress) -> String { localized(address.path()) }

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

    /// The site of a poster, with a link to the page that it comes from; nil when posters are not shown.
    func source(of poster: Poster, _ use: PosterUse) -> HTML? {
        guard use != .off else { return nil }
        let wording = FilmWording(language: language)
        let name: HTML =
            "<span class=\"wide\">\(wording.site(poster.site) + wording.certainty(poster.confidence))</span>"
        // The address comes from the upstream: a link must not run a script.
        guard ["http://", "https://"].contains(where: poster.pageURL.hasPrefix) else { return name }
        return """
            <a href="\(poster.pageURL)" rel="noreferrer nofollow">\(name)<span class="narrow">\(language("출처", "source"))</span></a>
            """
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
        """
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
