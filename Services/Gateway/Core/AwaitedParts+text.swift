import Assembly
import Localization

extension AwaitedParts {
    /// What is still awaited, as "details 3/10, posters 5/10"; nil when nothing is.
    func text(_ language: Language) -> String? {
        guard !open.isEmpty else { return nil }
        let words = open.map { kind, count in
            count.asked == 1 ? name(kind, language) : "\(name(kind, language)) \(count.ended)/\(count.asked)"
        }
        return language("기다리는 중: ", "Waiting for ") + words.joined(separator: ", ")
    }

    private func name(_ kind: Kind, _ language: Language) -> String {
        switch kind {
        case .chart: language("차트", "chart")
        case .search: language("검색", "search")
        case .detail: language("상세", "details")
        case .poster: language("포스터", "posters")
        case .image: language("이미지", "image")
        }
    }
}
