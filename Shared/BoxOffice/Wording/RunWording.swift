public import Domain
public import Localization

/// The texts of what is known of a film's run.
public struct RunWording: Sendable {
    private let language: Language

    public init(language: Language) {
        self.language = language
    }

    /// Four lines, each with what it rests on.
    public func fields(_ run: FilmRun) -> [(label: String, text: String)] {
        let total = run.last.entry.audienceTotal.withSeparators
        let day = run.last.day
        let milestones = milestones(run).joined(separator: ", ")
        return [
            (language("누적 관객", "Total"), language("\(total)명 (\(day) 기준)", "\(total) admissions (as of \(day))")),
            (language("10위권", "In the top 10"), "\(daysInTheTen(run)) (\(basis(run)))"),
            (language("최다 관객", "Peak day"), bestDay(run)),
            (language("돌파", "Milestones"), milestones.isEmpty ? language("없음", "none") : milestones),
        ]
    }

    /// Each with its day; of those that were reached by the same day the highest one says it all.
    public func milestones(_ run: FilmRun) -> [String] { named(run.milestones).map(milestone) }

    private func daysInTheTen(_ run: FilmRun) -> String {
        let (days, top) = (run.present.count.withSeparators, run.daysAtTop.withSeparators)
        let least = run.isWhole ? "" : language(" 이상", "at least ")
        let isOne = run.present.count == 1
        return language(
            "\(days)일\(least), 1위 \(top)일\(least)", "\(least)\(days) \(isOne ? "day" : "days"), \(least)\(top) at no. 1"
        )
    }

    private func bestDay(_ run: FilmRun) -> String {
        guard let peak = run.peak else {
            let most = (run.present.map(\.entry.audience).max() ?? 0).withSeparators
            return language("\(most)명 이상 (\(basis(run)))", "at least \(most) admissions (\(basis(run)))")
        }
        let audience = peak.entry.audience.withSeparators
        return language(
            "\(peak.day), \(audience)명 (\(basis(run)))", "\(peak.day), \(audience) admissions (\(basis(run)))")
    }

    /// The days of the run, and how many of their charts are known.
    private func basis(_ run: FilmRun) -> String {
        let span = run.isWhole ? run.firstDay...run.last.day : run.span
        let days = span.count == 1 ? "\(span.lowerBound)" : "\(span.lowerBound) ~ \(span.upperBound)"
        guard !run.isWhole else { return language("\(days), 누락된 차트 없음", "\(days), no charts missing") }
        let missing = run.unknownDays.withSeparators
        let charts = run.unknownDays == 1 ? "chart" : "charts"
        return language("\(days), \(missing)일 치 차트 없음", "\(days), \(missing) \(charts) missing")
    }

    private func named(_ milestones: [FilmRun.Milestone]) -> [FilmRun.Milestone] {
        let last = Dictionary(milestones.map { ($0.date, $0) }, uniquingKeysWith: { $1 })
        return milestones.filter { $0.isExact || last[$0.date] == $0 }
    }

    private func milestone(_ milestone: FilmRun.Milestone) -> String {
        let count = short(milestone.audience)
        return language(
            "\(count) \(milestone.date)\(milestone.isExact ? "" : " 이전")",
            "\(count) \(milestone.isExact ? "on" : "by") \(milestone.date)")
    }

    /// A round number as people name it: "100만", "1M", "5천", "500k".
    public func short(_ audience: Int) -> String {
        let units = language == .ko ? [(10_000, "만"), (1000, "천")] : [(1_000_000, "M"), (1000, "k")]
        guard let (unit, name) = units.first(where: { audience >= $0.0 }) else { return audience.withSeparators }
        let tenths = audience / (unit / 10)
        return "\((tenths / 10).withSeparators)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)")\(name)"
    }
}
