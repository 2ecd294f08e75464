public import Domain
public import Localization

/// A day's box office in three sentences.
public struct BriefWording: Sendable {
    private let language: Language
    private let englishTitles: [String: String]

    /// - Parameter englishTitles: those that are known, by film code.
    public init(language: Language, englishTitles: [String: String] = [:]) {
        self.language = language
        self.englishTitles = englishTitles
    }

    private func name(of entry: ChartEntry) -> String {
        FilmWording(language: language).shortName(entry.title, english: englishTitles[entry.code])
    }

    /// No. 1 and its lead; what is new and what passed a total; the ten beside a week before.
    public func sentences(_ brief: ChartBrief) -> [String] {
        [leader(brief), news(brief), ten(brief)]
    }

    private func leader(_ brief: ChartBrief) -> String {
        let (title, audience) = (name(of: brief.leader), brief.leader.audience.withSeparators)
        guard let second = brief.second, let lead = brief.lead else {
            return language("1위는 '\(title)'(\(audience)명)입니다.", "'\(title)' was no. 1 with \(audience) admissions.")
        }
        guard lead != 0 else {
            return language(
                "1위는 '\(title)', '\(name(of: second))'(각 \(audience)명)입니다.",
                "'\(title)' and '\(name(of: second))' were no. 1 with \(audience) admissions each.")
        }
        return language(
            "1위는 '\(title)'(\(audience)명)이고, 2위 '\(name(of: second))'보다 \(lead.withSeparators)명 많습니다.",
            "'\(title)' was no. 1 with \(audience) admissions, \(lead.withSeparators) ahead of '\(name(of: second))'.")
    }

    private func news(_ brief: ChartBrief) -> String {
        func list(_ entries: [ChartEntry]) -> String {
            entries.map { language("'\(name(of: $0))'(\($0.rank)위)", "'\(name(of: $0))' (#\($0.rank))") }
                .joined(separator: ", ")
        }
        let passed = brief.passed.map { passed in
            language(
                "'\(name(of: passed.entry))' 누적 \((passed.milestone / 10_000).withSeparators)만 명",
                "'\(name(of: passed.entry))' passed \(passed.milestone.withSeparators)")
        }.joined(separator: ", ")
        let parts = [
            brief.new.isEmpty
                ? nil : language("새로 진입한 영화는 \(list(brief.new))", "new in the top 10: \(list(brief.new))"),
            brief.returned.isEmpty
                ? nil : language("다시 진입한 영화는 \(list(brief.returned))", "returned: \(list(brief.returned))"),
            passed.isEmpty ? nil : language("돌파 기록은 \(passed)", passed),
        ].compactMap(\.self)
        guard !parts.isEmpty else {
            return language(
                "새로 진입한 개봉작이나 돌파 기록은 없습니다.", "No new release entered the top 10, and no film passed a milestone.")
        }
        let english = parts.joined(separator: "; ")
        return language(
            parts.joined(separator: "이고, ") + "입니다.", english.prefix(1).uppercased() + english.dropFirst() + ".")
    }

    private func ten(_ brief: ChartBrief) -> String {
        let audience = brief.audience.withSeparators
        guard let percent = brief.changePercent, let before = brief.audienceWeekBefore else {
            return language(
                "10위권 관객은 모두 \(audience)명이며, 전주 같은 요일 차트가 없어 비교할 수 없습니다.",
                "The top 10 had \(audience) admissions; the chart of a week before is missing.")
        }
        let size = percent == 0 ? language("0.1% 미만", "less than 0.1%") : "\(abs(percent))%"
        let isEqual = brief.audience == before
        let korean = isEqual ? "같습니다" : "\(size) \(brief.audience > before ? "많습니다" : "적습니다")"
        let english = isEqual ? "as many as" : "\(size) \(brief.audience > before ? "more" : "fewer") than"
        return language(
            "10위권 관객은 모두 \(audience)명으로, 전주 같은 요일\(isEqual ? "과" : "보다") \(korean).",
            "The top 10 had \(audience) admissions, \(english) a week before.")
    }
}
