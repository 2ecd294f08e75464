/// What the broker has seen of one service, over all of its workers: beside the broker's own stats in `mmi.stats`.
///
/// It counts all kinds, ping and stats too, since it cannot tell them apart.
public struct ServiceTraffic: Codable, Sendable, Equatable {
    public let name: String
    /// Workers that are registered now.
    public let workers: Int
    public let requests: Int
    /// Of these, answered by a worker, be it with a failure.
    public let answered: Int
    /// The broker's refusals by code.
    public let errors: [String: Int]
    /// Requests that wait for a worker.
    public let queueDepth: Int
    /// Requests that workers have, those included for which nobody waits any more.
    public let inFlight: Int
    /// Requests that were handed to another worker after the first was lost.
    public let redeliveries: Int
    /// Requests whose time ended before an answer came; also among the errors.
    public let expired: Int
    /// From a request's arrival at the broker to its answer's.
    public let latency: LatencySummary

    public init(
        name: String, workers: Int, requests: Int, answered: Int, errors: [String: Int], queueDepth: Int, inFlight: Int,
        redeliveries: Int, expired: Int, latency: LatencySummary
    ) {
        self.name = name
        self.workers = workers
        self.requests = requests
        self.answered = answered
        self.errors = errors
        self.queueDepth = queueDepth
        self.inFlight = inFlight
        self.redeliveries = redeliveries
        self.expired = expired
        self.latency = latency
    }
}
