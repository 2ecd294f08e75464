import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import Wording

/// The latest settled charts as an Atom feed (RFC 4287).
struct FeedPage {
    static let charts = 14

    let frame: PageFrame
    /// The address of the site, without a slash at its end: a reader keeps no address that entries could be relative to.
    let site: String
    /// The path of a page; nil for one that the site does not have.
    let path: (PageAddress) -> String?

    private var language: Language { frame.language }
    private var wording: ChartWording { ChartWording(language: language) }

    /// - Parameter charts: settled ones, the latest first.
    func xml(_ charts: [ArchivedChart]) -> [UInt8] {
        let source = charts.compactMap(\.source).min()
        let credit = language("자료: 영화진흥위원회(KOBIS)", "Data: KOBIS (Korean Film Council)")
        let own = site + frame.localized("/feed.atom")
        let updated = charts.map(Self.updated).max() ?? Self.publication(of: frame.yesterday)
        let xml: HTML = """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="\(language.rawValue)">
            <id>\(own)</id>
            <title>\(language("박스오피스", "Korean box office"))</title>
            <subtitle>\([credit, source?.label?(language)].compactMap(\.self).joined(separator: " · "))</subtitle>
            <updated>\(RFC3339.text(microseconds: updated * 1000))</updated>
            <author><name>KOBIS</name></author>
            <link rel="self" type="application/atom+xml" href="\(own)"/>
            <link rel="alternate" type="text/html" href="\(site + frame.localized("/"))"/>
            \(charts.map(entry))</feed>

            """
        return xml.bytes
    }

    private func entry(_ chart: ArchivedChart) -> HTML {
        let address = site + (path(.chart(.daily(chart.date), .list)) ?? "/")
        let entries = chart.entries.filter { $0.rank <= 10 }
        let brief = ChartBrief(day: chart.date, entries: entries, weekBefore: nil)
        let sentence = brief.flatMap { BriefWording(language: language).sentences($0).first } ?? ""
        // The markup is a text of the feed.
        let content = String(decoding: table(entries, sentence).bytes, as: UTF8.self)
        return """
            <entry>
            <id>\(address)</id>
            <title>\(wording.longDay(chart.date)) \(wording.title(.daily))</title>
            <published>\(RFC3339.text(microseconds: Self.publication(of: chart.date) * 1000))</published>
            <updated>\(RFC3339.text(microseconds: Self.updated(chart) * 1000))</updated>
            <link rel="alternate" type="text/html" href="\(address)"/>
            <summary>\(sentence)</summary>
            <content type="html">\(content)</content>
            </entry>

            """
    }

    private func table(_ entries: [ChartEntry], _ sentence: String) -> HTML {
        let heads = [
            language("순위", "Rank"), language("영화", "Film"), language("증감", "Change"),
            language("당일 관객", "Admissions"), language("누적 관객", "Total"),
        ]
        let rows = entries.map { entry -> HTML in
            """
            <tr><td>\(entry.rank)</td><td>\(title(entry))</td>\
            <td>\(wording.movement(entry.movement))</td><td>\(entry.audience.withSeparators)</td>\
            <td>\(entry.audienceTotal.withSeparators)</td></tr>
            """
        }
        return """
            <p>\(sentence)</p><table><thead><tr>\(heads.map { "<th>\($0)</th>" as HTML })</tr></thead><tbody>\(rows)</tbody></table>
            """
    }

    private func title(_ entry: ChartEntry) -> HTML {
        path(.film(entry.code)).map { "<a href=\"\(site + $0)\">\(entry.title)</a>" } ?? "\(entry.title)"
    }

    /// When the rows were seen first, which a correction changes.
    ///
    /// - Returns: milliseconds since 1970.
    private static func updated(_ chart: ArchivedChart) -> Int64 {
        // A message may contain any number.
        max(publication(of: chart.date), min(max(0, chart.firstSeen ?? 0), 4_102_444_800_000))
    }

    /// The midnight in Seoul after the day, in milliseconds since 1970: KOBIS does not say when it publishes a chart.
    private static func publication(of day: Day) -> Int64 {
        (Int64(day.daysSinceEpoch + 1) * 86_400 - 9 * 3600) * 1000
    }
}
