internal import Envelope
internal import MessageBus
internal import ProcessKit

/// What a worker counts of its requests; pure, so that it can be told any order of things.
struct ServiceTally: Sendable {
    private var requests = 0
    private var answered = 0
    private var inFlight = 0
    private var redeliveries = 0
    private var expired = 0
    private var errors: [FailureCode: Int] = [:]
    private var lastError: (failure: Failure, request: String?, at: Int64)?
    private var latency = LatencyHistogram()

    /// A request has arrived; `attempts` says how often the broker has handed it out.
    mutating func began(attempts: Int) {
        requests += 1
        inFlight += 1
        if attempts > 1 { redeliveries += 1 }
    }

    /// Its time had ended before anything was done.
    mutating func expiredUnstarted() {
        inFlight -= 1
        expired += 1
    }

    /// It goes back unanswered, to be another worker's.
    mutating func returned() {
        inFlight -= 1
    }

    /// It has its answer.
    ///
    /// - Parameters:
    ///   - failure: the answer itself, when it is one.
    ///   - request: the call as events name it.
    ///   - microseconds: since 1970.
    mutating func ended(_ failure: Failure?, request: String?, at microseconds: Int64, took: Duration) {
        inFlight -= 1
        answered += 1
        latency.record(took)
        guard let failure else { return }
        errors[failure.code, default: 0] += 1
        lastError = (failure, request, microseconds)
    }

    /// - Parameters:
    ///   - busFailures: what the bus answered in the service's place, by code.
    ///   - droppedEvents: events that the stream could not take.
    func stats(
        of info: ServiceInfo, busFailures: [FailureCode: Int], droppedEvents: Int, upstreams: [UpstreamHealth]?
    ) -> ServiceStats {
        let errors = errors.merging(busFailures, uniquingKeysWith: +)
        return ServiceStats(
            info, requests: requests, answered: answered,
            errors: Dictionary(uniqueKeysWithValues: errors.map { ($0.key.rawValue, $0.value) }),
            lastError: lastError.map {
                ServiceStats.LastError(
                    code: $0.failure.code, message: $0.failure.message, at: RFC3339.text(microseconds: $0.at),
                    request: $0.request)
            }, queueDepth: nil, inFlight: inFlight, redeliveries: redeliveries, expired: expired,
            dropped: droppedEvents == 0 ? [:] : ["event": droppedEvents], latency: latency.summary,
            upstreams: upstreams)
    }
}
