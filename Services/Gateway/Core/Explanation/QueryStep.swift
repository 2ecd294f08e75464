import Envelope

/// One question that a query asked over the bus, and what became of it.
struct QueryStep: Sendable, Equatable {
    /// As "chart 2022-01-05".
    let what: String
    /// As "chart.daily".
    let kind: String
    /// Since the query's beginning.
    let start: Duration
    var took: Duration
    /// What was left of the deadline at its beginning.
    let deadlineLeft: Duration
    /// Who answered; nil when nobody did.
    var instance: String?
    /// "ok", "stale", "failed"; nil when there was no answer.
    var status: String?
    var code: FailureCode?
    /// In words of RFC 9211; of a look into the cache how many keys it had.
    var cache: String?
    /// How often it was handed out to a worker.
    var attempts = 0
    /// How long it waited at the broker.
    var queued: Duration?
    /// From its arrival at the worker to the reply.
    var work: Duration?
    /// Of these, in upstream calls; nil when there was none.
    var upstream: Duration?
    var upstreamCalls: Int?
    /// How they ended: HTTP statuses, or why there was none.
    var upstreamOutcomes: [String]?

    var end: Duration { start + took }
}
