public import Contracts
internal import Synchronization

/// The number of requested and of ended parts of an answer, by kind.
public struct AwaitedParts: Sendable, Equatable {
    public enum Kind: Sendable, Hashable {
        case chart, search
        case film(FilmPart)
        case image
        /// Charts of several days.
        case archive

        /// In the order of an answer.
        fileprivate static let all: [Kind] = [.chart, .search, .archive] + FilmPart.allCases.map(Kind.film) + [.image]

        /// - Parameter requestKind: the kind of the message that requests the part.
        init?(requestKind: String) {
            switch requestKind {
            case FilmSearchRequest.kind: self = .search
            case PosterImageRequest.kind: self = .image
            case let kind where ChartRequest.kinds.contains(kind): self = .chart
            case let kind:
                guard let part = FilmPart.allCases.first(where: { $0.requestKind == kind }) else { return nil }
                self = .film(part)
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
        Kind.all.compactMap { kind in counts[kind].flatMap { $0.ended < $0.asked ? (kind, $0) : nil } }
    }
}

/// The parts that a query waits for, as a sequence of states.
public final class QueryProgress: Sendable {
    /// The latest state; a slow reader misses intermediate ones. Ends with `finish`.
    public let updates: AsyncStream<AwaitedParts>
    private let continuation: AsyncStream<AwaitedParts>.Continuation
    private let parts = Mutex(AwaitedParts())

    public init() {
        (updates, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func begin(_ kind: AwaitedParts.Kind) { change { $0.begin(kind) } }
    func end(_ kind: AwaitedParts.Kind) { change { $0.end(kind) } }
    public func finish() { continuation.finish() }

    private func change(_ body: (inout AwaitedParts) -> Void) {
        parts.withLock { parts in
            body(&parts)
            continuation.yield(parts)
        }
    }
}
