internal import Contracts

/// How many parts of an answer have been asked for, and how many of them have come, by what they are.
public struct AwaitedParts: Sendable, Equatable {
    public enum Kind: Sendable, CaseIterable {
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

    public struct Count: Sendable, Equatable {
        public fileprivate(set) var asked = 0
        /// Arrived or failed.
        public fileprivate(set) var ended = 0
    }

    private var counts: [Kind: Count] = [:]

    mutating func begin(_ kind: Kind) { counts[kind, default: Count()].asked += 1 }

    mutating func end(_ kind: Kind) { counts[kind, default: Count()].ended += 1 }

    /// The kinds of which something is still awaited, in the order of an answer.
    public var open: [(kind: Kind, count: Count)] {
        Kind.allCases.compactMap { kind in counts[kind].flatMap { $0.ended < $0.asked ? (kind, $0) : nil } }
    }
}
