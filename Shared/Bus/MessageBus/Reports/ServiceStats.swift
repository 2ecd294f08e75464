public import Envelope
public import Localization

/// The counters of a process since its start: the answer to `service.stats`, and to `mmi.stats` of the broker.
///
/// All processes use the same fields. A worker counts the requests of its service's own kinds, not those for ping, info
/// and stats. A value that a process cannot know is null, never 0: only the broker knows the queue of a worker.
public struct ServiceStats: Codable, Sendable, Equatable {
    /// The last failure that was sent as an answer.
    public struct LastError: Codable, Sendable, Equatable {
        public let code: FailureCode
        public let message: LocalizedText
        /// RFC 3339 in UTC.
        public let at: String
        /// The call that failed, 32 hexadecimal digits as in events; null for a call of a plain client.
        public let request: String?

        public init(code: FailureCode, message: LocalizedText, at: String, request: String?) {
            self.code = code
            self.message = message
            self.at = at
            self.request = request
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(code, forKey: .code)
            try container.encode(message, forKey: .message)
            try container.encode(at, forKey: .at)
            try container.encode(request, forKey: .request)
        }
    }

    // As in `ServiceInfo`.
    public let name: String
    public let id: String
    public let version: String
    public let started: String
    public let uptimeSeconds: Double

    /// Requests that arrived. The broker includes dropped and refused requests; a worker counts started requests.
    public let requests: Int
    /// Requests that a service answered, failures included.
    public let answered: Int
    /// Failures by code: answers of a worker, refusals of the broker.
    public let errors: [String: Int]
    public let lastError: LastError?
    /// Requests that wait for a worker; null for all processes except the broker.
    public let queueDepth: Int?
    /// Requests in progress.
    public let inFlight: Int
    /// Requests that were redelivered after a worker was lost: by the broker, or to this worker.
    public let redeliveries: Int
    /// Requests whose deadline passed: in the broker before an answer arrived, at a worker before its work began.
    public let expired: Int
    /// Dropped messages, by reason.
    public let dropped: [String: Int]
    /// From the arrival of a request to its answer.
    public let latency: LatencySummary
    /// The hosts that it has called, by name; null for a service that calls none.
    public let upstreams: [UpstreamHealth]?

    public init(
        _ info: ServiceInfo, requests: Int, answered: Int, errors: [String: Int], lastError: LastError?,
        queueDepth: Int?, inFlight: Int, redeliveries: Int, expired: Int, dropped: [String: Int],
        latency: LatencySummary,
        upstreams: [UpstreamHealth]? = nil
    ) {
        (name, id, version) = (info.name, info.id, info.version)
        (started, uptimeSeconds) = (info.started, info.uptimeSeconds)
        self.requests = requests
        self.answered = answered
        self.errors = errors
        self.lastError = lastError
        self.queueDepth = queueDepth
        self.inFlight = inFlight
        self.redeliveries = redeliveries
        self.expired = expired
        self.dropped = dropped
        self.latency = latency
        self.upstreams = upstreams
    }

    /// Encodes every key, so that readers handle all processes in the same way.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(id, forKey: .id)
        try container.encode(version, forKey: .version)
        try container.encode(started, forKey: .started)
        try container.encode(uptimeSeconds, forKey: .uptimeSeconds)
        try container.encode(requests, forKey: .requests)
        try container.encode(answered, forKey: .answered)
        try container.encode(errors, forKey: .errors)
        try container.encode(lastError, forKey: .lastError)
        try container.encode(queueDepth, forKey: .queueDepth)
        try container.encode(inFlight, forKey: .inFlight)
        try container.encode(redeliveries, forKey: .redeliveries)
        try container.encode(expired, forKey: .expired)
        try container.encode(dropped, forKey: .dropped)
        try container.encode(latency, forKey: .latency)
        try container.encode(upstreams, forKey: .upstreams)
    }
}

/// The identity of a process of the stack: the answer to `service.info`, and to `mmi.info` of the broker.
///
/// Every encoded `ServiceStats` decodes as a `ServiceInfo`.
public struct ServiceInfo: Codable, Sendable, Equatable {
    /// The service, for example "detail-fetcher".
    public let name: String
    /// The instance, for example "detail-fetcher/2".
    public let id: String
    /// The product's version, for example "0.1.0".
    public let version: String
    /// The start time, RFC 3339 in UTC.
    public let started: String
    /// Seconds since the start, by the monotonic clock.
    public let uptimeSeconds: Double

    public init(name: String, id: String, version: String, started: String, uptimeSeconds: Double) {
        self.name = name
        self.id = id
        self.version = version
        self.started = started
        self.uptimeSeconds = uptimeSeconds
    }
}

/// The latency of answers in whole microseconds; the percentiles are exact to within one per cent.
public struct LatencySummary: Codable, Sendable, Equatable {
    /// Measured answers.
    public let count: Int
    /// The median; null, like the other values, while nothing has been measured.
    public let p50Microseconds: Int?
    public let p95Microseconds: Int?
    public let p99Microseconds: Int?
    public let maxMicroseconds: Int?

    public init(
        count: Int, p50Microseconds: Int?, p95Microseconds: Int?, p99Microseconds: Int?, maxMicroseconds: Int?
    ) {
        self.count = count
        self.p50Microseconds = p50Microseconds
        self.p95Microseconds = p95Microseconds
        self.p99Microseconds = p99Microseconds
        self.maxMicroseconds = maxMicroseconds
    }

    /// Encodes every key; an unknown value is an explicit null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        try container.encode(p50Microseconds, forKey: .p50Microseconds)
        try container.encode(p95Microseconds, forKey: .p95Microseconds)
        try container.encode(p99Microseconds, forKey: .p99Microseconds)
        try container.encode(maxMicroseconds, forKey: .maxMicroseconds)
    }
}
