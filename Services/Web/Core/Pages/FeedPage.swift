import Domain
import Envelope
import Localization
import ProcessKit
import Wording

/// The latest charts as an Atom feed (RFC 4287).
struct FeedPage {
    let frame: PageFrame

    private var language: Language { frame.language }
    private var wording: ChartWording { ChartWording(language: language) }

    /// - Parameters:
    ///   - charts: of days, the latest first.
    ///   - source: the least genuine of theirs.
    func xml(_ charts: [Chart], source: DataSource) -> [UInt8] {
        let site = frame.site ?? ""
        let credit = language("자료: 영화진흥위원회(KOBIS)", "Data: KOBIS (Korean Film Council)")
        let own = frame.localized("/feed.atom")
        let xml: HTML = """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="\(language.rawValue)">
            <id>\(base + own)</id>
            <title>\(language("박스오피스", "Korean box office"))</title>
            <subtitle>\([credit, source.label?(language)].compactMap(\.self).joined(separator: " · "))</subtitle>
            <updated>\(Self.publication(of: charts.first?.selection.days.lowerBound ?? frame.yesterday))</updated>
            <author><name>KOBIS</name></author>
            <link rel="self" href="\(site + own)"/>
            <link rel="alternate" type="text/html" href="\(site + frame.localized("/"))"/>
            \(charts.map { entry($0, site) })</feed>

            """
        return xml.bytes
    }

    /// An id is an absolute address also where the feed has none.
    private var base: String { frame.site ?? "tag:boxoffice.localhost,2026:" }

    private func entry(_ chart: Chart, _ site: String) -> HTML {
        let path = frame.href(.chart(chart.selection, .list))
        return """
            <entry>
            <id>\(base + path)</id>
            <title>\(wording.days(chart.selection.days)) \(wording.title(.daily))</title>
            <updated>\(Self.publication(of: chart.selection.days.lowerBound))</updated>
            <link rel="alternate" type="text/html" href="\(site + path)"/>
            <content type="text">\(chart.entries.map(line).joined(separator: "\n"))</content>
            </entry>

            """
    }

    private func line(_ entry: ChartEntry) -> String {
        "\(entry.rank). \(entry.title) (\(wording.movement(entry.movement))) · "
            + "\(wording.period(.daily)) \(entry.audience.withSeparators)"
    }

    /// The midnight in Seoul after the day, as RFC 3339: KOBIS does not say when it corrects a chart.
    private static func publication(of day: Day) -> String {
        let seconds = Int64(day.daysSinceEpoch + 1) * 86_400 - 9 * 3600
        return RFC3339.text(microseconds: seconds * 1_000_000)
    }
}
