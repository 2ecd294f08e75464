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
    func values(_ charts: [Chart], source: DataSource) -> [String: Any] {
        let site = frame.site ?? ""
        // An id is an absolute address also where the feed has none.
        let base = frame.site ?? "tag:boxoffice.localhost,2026:"
        let credit = language("자료: 영화진흥위원회(KOBIS)", "Data: KOBIS (Korean Film Council)")
        return [
            "lang": language.rawValue, "id": base + frame.localized("/feed.atom"), "home": site + frame.localized("/"),
            "self": site + frame.localized("/feed.atom"),
            "title": language("박스오피스", "Korean box office"),
            "subtitle": [credit, source.label?(language)].compactMap(\.self).joined(separator: " · "),
            "updated": Self.publication(of: charts.first?.selection.days.lowerBound ?? frame.yesterday),
            "charts": charts.map { chart in
                let path = frame.href(.chart(chart.selection, .list))
                return [
                    "id": base + path, "url": site + path,
                    "title": "\(wording.days(chart.selection.days)) \(wording.title(.daily))",
                    "updated": Self.publication(of: chart.selection.days.lowerBound),
                    "text": chart.entries.map(line).joined(separator: "\n"),
                ]
            },
        ]
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
