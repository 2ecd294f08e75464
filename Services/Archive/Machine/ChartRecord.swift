internal import Contracts
public import Domain
internal import Envelope

/// What the archive knows of one chart: its current edition, and the latest attempt that brought none.
///
/// A pure value. Moments are in milliseconds since 1970.
public struct ChartRecord: Sendable, Equatable {
    /// The rows of a chart, and when they were seen.
    public struct Edition: Sendable, Equatable {
        public let entries: [ChartEntry]
        public internal(set) var firstSeen: Int64
        public internal(set) var lastSeen: Int64

        public init(entries: [ChartEntry], firstSeen: Int64, lastSeen: Int64) {
            self.entries = entries
            self.firstSeen = firstSeen
            self.lastSeen = lastSeen
        }

        /// As it was known at a moment after its first sight.
        public func known(at moment: Int64) -> Edition {
            Edition(entries: entries, firstSeen: firstSeen, lastSeen: min(lastSeen, moment))
        }
    }

    /// A fetch without a chart.
    public struct Attempt: Sendable, Equatable {
        public let at: Int64
        /// The code of its failure.
        public let code: String

        public init(at: Int64, code: String) {
            self.at = at
            self.code = code
        }
    }

    /// An answer of the upstream, however it was learnt.
    public struct Sight: Sendable, Equatable {
        public enum Content: Sendable, Equatable {
            /// None for a chart without films.
            case entries([ChartEntry])
            case failure(code: String)
        }

        public let content: Content
        public let fetchedAt: Int64

        public init(_ content: Content, fetchedAt: Int64) {
            self.content = content
            self.fetchedAt = fetchedAt
        }
    }

    /// What a sight has changed.
    public enum Change: Sendable, Equatable {
        case none
        /// The current edition was seen earlier, or later, than known.
        case seenAgain
        /// Other rows than before; the edition before stays.
        case newEdition
        /// Rows that were replaced before this sight arrived.
        case pastEdition(Edition)
        case attempted
    }

    public private(set) var edition: Edition?
    public private(set) var attempt: Attempt?

    public init(edition: Edition? = nil, attempt: Attempt? = nil) {
        self.edition = edition
        self.attempt = attempt
    }

    /// - Parameters:
    ///   - settledFrom: the moment from which KOBIS does not correct the chart.
    ///   - now: the clock of this machine.
    public mutating func record(_ sight: Sight, settledFrom: Int64, now: Int64) -> Change {
        // A moment in the future proves nothing: it counts as one before the chart is settled.
        let at = sight.fetchedAt <= now ? sight.fetchedAt : min(now, settledFrom - 1)
        switch sight.content {
        case .failure(let code):
            guard at > attempt?.at ?? .min else { return .none }
            attempt = Attempt(at: at, code: code)
            return .attempted
        case .entries(let entries):
            return record(entries, at: at)
        }
    }

    private mutating func record(_ entries: [ChartEntry], at: Int64) -> Change {
        let seen = Edition(entries: entries, firstSeen: at, lastSeen: at)
        guard let current = edition else {
            edition = seen
            return .newEdition
        }
        if current.entries == entries {
            edition?.firstSeen = min(current.firstSeen, at)
            edition?.lastSeen = max(current.lastSeen, at)
            return edition == current ? .none : .seenAgain
        }
        guard at > current.lastSeen else { return .pastEdition(seen) }
        edition = seen
        return .newEdition
    }

    /// It follows the last sight: the same rows, seen after the chart was settled, settle it.
    public func state(settledFrom: Int64) -> ChartState {
        guard let edition else {
            guard let attempt else { return .unknown }
            return attempt.code == FailureCode.notPublished.rawValue ? .notPublished : .failed
        }
        guard edition.lastSeen >= settledFrom else { return .provisional }
        return edition.entries.isEmpty ? .empty : .settled
    }
}
