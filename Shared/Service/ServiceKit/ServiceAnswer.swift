public import Envelope
internal import ProcessKit

/// The answer of a service's handler; `WorkerService` adds the envelope.
public struct ServiceAnswer: Sendable {
    public var status: ReplyStatus
    public var payload: [UInt8]
    public var attachments: [[UInt8]]
    public var failure: Failure?
    public var cache: CacheStatus?
    public var upstream: UpstreamUse?
    /// Where the payload's data came from; nil for an answer without such data.
    public var source: DataSource?
    /// Additional attributes of the event about this answer; never a payload or an API key.
    public var attributes: [String: AttributeValue] = [:]

    public init(
        status: ReplyStatus = .ok, payload: [UInt8] = [], attachments: [[UInt8]] = [], failure: Failure? = nil,
        cache: CacheStatus? = nil, upstream: UpstreamUse? = nil, source: DataSource? = nil
    ) {
        self.status = status
        self.payload = payload
        self.attachments = attachments
        self.failure = failure
        self.cache = cache
        self.upstream = upstream
        self.source = source
    }

    public static func json(_ value: some Encodable, attachments: [[UInt8]] = []) throws -> ServiceAnswer {
        ServiceAnswer(payload: try JSONBytes.encode(value), attachments: attachments)
    }

    public static func failed(_ failure: Failure, upstream: UpstreamUse? = nil) -> ServiceAnswer {
        ServiceAnswer(status: .failed, failure: failure, upstream: upstream)
    }
}

extension ServiceAnswer {
    /// The attributes of the event about an answer: the caller and its call, the outcome and the durations.
    func eventAttributes(work: Duration, to question: Header) -> [String: AttributeValue] {
        var result: [String: AttributeValue] = [
            "from": .text(question.sender), "status": .text(status.rawValue),
            "workMicroseconds": .number(work.wholeMicroseconds),
        ]
        if let parent = question.parent { result["parent"] = .text(parent.description) }
        if let failure { result["code"] = .text(failure.code.rawValue) }
        if let cache { result["cache"] = .text(cache.summary) }
        if let upstream {
            result["upstreamCalls"] = .number(upstream.calls)
            result["upstreamMicroseconds"] = .number(upstream.took.wholeMicroseconds)
        }
        return result.merging(attributes) { own, _ in own }
    }
}

/// The upstream calls of an answer.
public struct UpstreamUse: Sendable, Equatable {
    /// Attempts, retries included.
    public private(set) var calls = 0
    public private(set) var took = Duration.zero
    /// The outcomes of the first attempts, as in `RequestTiming`.
    public private(set) var outcomes: [String] = []

    /// The limit of reported outcomes; an image may have many addresses.
    private static let maxOutcomes = 8

    public init(calls: Int = 0, took: Duration = .zero) {
        self.calls = calls
        self.took = took
    }

    /// - Parameter outcome: An HTTP status, or the code of the reason for its absence.
    public mutating func add(_ outcome: String, took: Duration) {
        calls += 1
        self.took += took
        if outcomes.count < Self.maxOutcomes { outcomes.append(outcome) }
    }
}
