/// The broker's counters of one service, over all of its workers; sent with the broker's own stats in `mmi.stats`.
///
/// It counts all kinds, ping and stats included, because the broker cannot distinguish them.
public struct ServiceTraffic: Codable, Sendable, Equatable {
    public let name: String
    /// Workers that are currently registered.
    public let workers: Int
    public let requests: Int
    /// Requests that a worker answered, failures included.
    public let answered: Int
    /// The broker's refusals, by code.
    public let errors: [String: Int]
    /// Requests that wait for a worker.
    public let queueDepth: Int
    /// Requests that are dispatched to workers, including those whose caller has timed out.
    public let inFlight: Int
    /// Requests that were redelivered to another worker after the first was lost.
    public let redeliveries: Int
    /// Requests whose deadline passed before an answer arrived; also among the errors.
    public let expired: Int
    /// From the arrival of a request at the broker to the arrival of its answer.
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
