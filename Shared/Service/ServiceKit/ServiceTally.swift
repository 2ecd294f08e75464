internal import Envelope
internal import MessageBus
internal import ProcessKit

/// The request counters of a worker; pure, so that tests can apply events in any order.
struct ServiceTally: Sendable {
    private var requests = 0
    private var answered = 0
    private var inFlight = 0
    private var redeliveries = 0
    private var expired = 0
    private var errors: [FailureCode: Int] = [:]
    private var lastError: (failure: Failure, request: String?, at: Int64)?
    private var latency = LatencyHistogram()

    /// A request arrived; the broker has dispatched it `attempts` times.
    mutating func began(attempts: Int) {
        requests += 1
        inFlight += 1
        if attempts > 1 { redeliveries += 1 }
    }

    /// Its deadline passed before work began.
    mutating func expiredUnstarted() {
        inFlight -= 1
        expired += 1
    }

    /// The request is returned undelivered, for another worker.
    mutating func returned() {
        inFlight -= 1
    }

    /// The request was answered.
    ///
    /// - Parameters:
    ///   - failure: The answer, when it is a failure.
    ///   - request: The identifier of the call in events.
    ///   - microseconds: The time since 1970.
    mutating func ended(_ failure: Failure?, request: String?, at microseconds: Int64, took: Duration) {
        inFlight -= 1
        answered += 1
        latency.record(took)
        guard let failure else { return }
        errors[failure.code, default: 0] += 1
        lastError = (failure, request, microseconds)
    }

    /// - Parameters:
    ///   - busFailures: The failures that the bus answered in place of the service, by code.
    ///   - droppedEvents: The number of events that the stream could not accept.
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
