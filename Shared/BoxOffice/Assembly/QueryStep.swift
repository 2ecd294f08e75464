public import Envelope

/// One request of a query, and its outcome.
public struct QueryStep: Sendable, Equatable {
    /// A text such as "chart 2022-01-05".
    public let what: String
    /// A kind such as "chart.daily".
    public let kind: String
    /// Relative to the start of the query.
    public let start: Duration
    public internal(set) var took: Duration
    /// The time that remained until the deadline at its start.
    public let deadlineLeft: Duration
    /// The instance that replied; nil without a reply.
    public internal(set) var instance: String?
    /// "ok", "stale", "failed"; nil without a reply.
    public internal(set) var status: String?
    public internal(set) var code: FailureCode?
    /// In the terms of RFC 9211; for a peek, the number of keys it found.
    public internal(set) var cache: String?
    /// How often the broker dispatched it.
    public internal(set) var attempts = 0
    /// The time it waited in the broker's queue.
    public internal(set) var queued: Duration?
    /// From its arrival at the worker to the reply.
    public internal(set) var work: Duration?
    /// The share of the work that was spent in upstream calls; nil when there was none.
    public internal(set) var upstream: Duration?
    public internal(set) var upstreamCalls: Int?
    /// The reply came from another query's request.
    public internal(set) var isShared = false
    /// The outcomes of the calls: HTTP statuses, or the reasons for no response.
    public internal(set) var upstreamOutcomes: [String]?

    public var end: Duration { start + took }
}
