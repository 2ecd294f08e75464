internal import Contracts

/// The number of requested and of ended parts of an answer, by kind.
public struct AwaitedParts: Sendable, Equatable {
    public enum Kind: Sendable, CaseIterable {
        case chart, search, detail, poster, image

        /// - Parameter requestKind: the kind of the message that requests the part.
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

    /// The kinds with awaited parts, in the order of an answer.
    public var open: [(kind: Kind, count: Count)] {
        Kind.allCases.compactMap { kind in counts[kind].flatMap { $0.ended < $0.asked ? (kind, $0) : nil } }
    }
}
