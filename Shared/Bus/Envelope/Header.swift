/// The header of every envelope: the sender, the kind and the query, and in replies the outcome.
///
/// On the wire it is JSON. Unknown fields are ignored, so that fields may be added; `schema` is the version.
public struct Header: Codable, Sendable, Equatable {
    /// "major.minor"; an unknown major version is refused.
    public var schema: SchemaVersion
    /// The query that this message belongs to.
    public var query: HexadecimalID
    /// The call that caused this one; nil at the query's root.
    public var parent: HexadecimalID?
    /// The kind of the request, for example "chart.daily".
    public var kind: String
    /// The process that sent this message, for example "chart-fetcher/2".
    public var sender: String
    public var traceparent: TraceParent
    /// Requests only; nil means interactive.
    public var requestClass: RequestClass?

    /// Where the payload's data came from; nil in requests, and in replies without such data.
    public var source: DataSource?
    /// The outcome; replies only.
    public var status: ReplyStatus?
    /// The reason for the status `failed`, or for the status `stale` when no fresh value could be fetched.
    public var failure: Failure?
    public var cache: CacheStatus?
    public var timing: RequestTiming?

    public init(
        query: HexadecimalID, parent: HexadecimalID? = nil, kind: String, sender: String, traceparent: TraceParent,
        requestClass: RequestClass? = nil, source: DataSource? = nil, status: ReplyStatus? = nil,
        failure: Failure? = nil, cache: CacheStatus? = nil,
        timing: RequestTiming? = nil
    ) {
        schema = .current
        self.query = query
        self.parent = parent
        self.kind = kind
        self.sender = sender
        self.traceparent = traceparent
        self.requestClass = requestClass
        self.source = source
        self.status = status
        self.failure = failure
        self.cache = cache
        self.timing = timing
    }

    private enum CodingKeys: String, CodingKey {
        case schema, query, parent, kind, sender, traceparent
        case requestClass = "class"
        case source, status, failure, cache, timing
    }
}

/// The outcome of a request.
///
/// A value of a later release is kept as it is, so that only this answer is affected.
public struct ReplyStatus: RawRepresentable, Codable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let ok = ReplyStatus(rawValue: "ok")
    /// The answer is old because no fresh value could be fetched; see `failure`.
    public static let stale = ReplyStatus(rawValue: "stale")
    public static let failed = ReplyStatus(rawValue: "failed")
}
