public import Envelope

/// One request of a query, and its outcome.
public struct QueryStep: Sendable, Equatable {
    /// As "chart 2022-01-05".
    public let what: String
    /// As "chart.daily".
    public let kind: String
    /// Since the query's beginning.
    public let start: Duration
    public internal(set) var took: Duration
    /// What was left of the deadline at its beginning.
    public let deadlineLeft: Duration
    /// The instance that answered; nil without an answer.
    public internal(set) var instance: String?
    /// "ok", "stale", "failed"; nil when there was no answer.
    public internal(set) var status: String?
    public internal(set) var code: FailureCode?
    /// In words of RFC 9211; of a look into the cache how many keys it had.
    public internal(set) var cache: String?
    /// How often the broker dispatched it.
    public internal(set) var attempts = 0
    /// How long it waited at the broker.
    public internal(set) var queued: Duration?
    /// From its arrival at the worker to the reply.
    public internal(set) var work: Duration?
    /// Of these, in upstream calls; nil when there was none.
    public internal(set) var upstream: Duration?
    public internal(set) var upstreamCalls: Int?
    /// How they ended: HTTP statuses, or why there was none.
    public internal(set) var upstreamOutcomes: [String]?

    public var end: Duration { start + took }
}
