public import BoxOffice
public import Localization

/// The texts of a film's run in the stored charts.
public struct RunWording: Sendable {
    private let language: Language

    public init(language: Language) {
        self.language = language
    }

    /// Its days, its best day, its admissions; a field that is unknown is left out.
    public func fields(_ run: FilmRun) -> [(label: String, text: String)] {
        [
            (
                language("차트", "Charts"),
                language(
                    "\(run.chartDays)일 (\(run.firstDay) ~ \(run.lastDay), 저장된 \(run.knownDays)일 가운데)",
                    "\(run.chartDays == 1 ? "1 day" : "\(run.chartDays) days") (\(run.firstDay) to \(run.lastDay), of \(run.knownDays) that are stored)"
                )
            ),
            (
                language("최고", "Peak"),
                language(
                    "\(run.peakRank.value)위 (\(run.peakRank.date))", "no. \(run.peakRank.value) (\(run.peakRank.date))")
                    + streak(run)
            ),
            (
                language("관객", "Audience"),
                language(
                    "하루 최고 \(run.peakAudience.value.withSeparators)명 (\(run.peakAudience.date)), 누적 \(run.audienceTotal.withSeparators)명",
                    "at most \(run.peakAudience.value.withSeparators) a day (\(run.peakAudience.date)), \(run.audienceTotal.withSeparators) in all"
                )
            ),
            (language("평균", "Average"), average(run)),
            (language("돌파", "Reached"), milestones(run)),
        ].compactMap { label, text in text.map { (label, $0) } }
    }

    private func streak(_ run: FilmRun) -> String {
        guard run.longestStreak > 1 else { return "" }
        return language(", 1위 연속 \(run.longestStreak)일", ", \(run.longestStreak) days in a row at no. 1")
    }

    private func average(_ run: FilmRun) -> String? {
        let words = [
            run.audiencePerScreen.map { language("스크린당 \($0)명", "\($0) a screen") },
            run.averagePrice.map { price in
                let won = Int(exactly: price.rounded())?.withSeparators ?? "\(price)"
                return language("한 명당 \(won)원", "\(won) won each")
            },
        ].compactMap(\.self)
        return words.isEmpty ? nil : "\(words.joined(separator: ", ")) (\(run.lastDay))"
    }

    private func milestones(_ run: FilmRun) -> String? {
        // Of the milestones reached before the first stored chart, the last one implies the others.
        let last = run.milestones.last { !$0.isExact }
        let words = run.milestones.filter { $0.isExact || $0 == last }.map { milestone in
            let count = language(
                "\((milestone.admissions / 10_000).withSeparators)만", milestone.admissions.withSeparators)
            return milestone.isExact
                ? "\(count) \(milestone.by)" : language("\(count) \(milestone.by) 이전", "\(count) by \(milestone.by)")
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
