import Contracts
public import TerminalText

/// How many parts of an answer have been asked for, and how many of them have come, by what they are.
public struct AwaitedParts: Sendable, Equatable {
    enum Kind: Sendable, CaseIterable {
        case chart, search, detail, poster, image

        /// - Parameter requestKind: of the message that asks for it.
        init?(requestKind: String) {
            switch requestKind {
            case DetailRequest.kind: self = .detail
            case FilmSearchRequest.kind: self = .search
            case PosterRequest.kind: self = .poster
            case PosterImageRequest.kind: self = .image
            case let kind where ChartRequest.kinds.contains(kind): self = .chart
            default: return nil
            }
        }
    }

    private struct Count: Sendable, Equatable {
        var asked = 0
        var ended = 0
    }

    private var counts: [Kind: Count] = [:]

    mutating func asked(_ kind: Kind) { counts[kind, default: Count()].asked += 1 }

    /// It came, or it never will.
    mutating func ended(_ kind: Kind) { counts[kind, default: Count()].ended += 1 }

    /// What is still awaited, as "details 3/10, posters 5/10"; nil when nothing is.
    public func text(_ language: Language) -> String? {
        let open = Kind.allCases.compactMap { kind in
            counts[kind].flatMap { $0.ended < $0.asked ? (kind, $0) : nil }
        }
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
