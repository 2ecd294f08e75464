/// The header of every envelope: who asks what on whose behalf, and in replies how it went.
///
/// On the wire it is JSON. Unknown fields are ignored, so fields may be added; `schema` names the version.
public struct Header: Codable, Sendable, Equatable {
    /// "major.minor"; an unknown major version is refused.
    public var schema: SchemaVersion
    /// The query that this message belongs to, 16 hexadecimal digits.
    public var query: String
    /// The call that caused this one, 16 hexadecimal digits; nil at the query's root.
    public var parent: String?
    /// What is asked, as "chart.daily".
    public var kind: String
    /// The process that sent this message, as "chart-fetcher/2".
    public var sender: String
    /// W3C Trace Context, as "00-<32 hex>-<16 hex>-01".
    public var traceparent: String

    /// How it went; replies only.
    public var status: ReplyStatus?
    /// Why not; when the status is `failed`, or `stale` for lack of something fresh.
    public var failure: Failure?
    public var cache: CacheStatus?
    public var timing: RequestTiming?

    public init(
        query: String, parent: String? = nil, kind: String, sender: String, traceparent: String,
        status: ReplyStatus? = nil, failure: Failure? = nil, cache: CacheStatus? = nil, timing: RequestTiming? = nil
    ) {
        schema = .current
        self.query = query
        self.parent = parent
        self.kind = kind
        self.sender = sender
        self.traceparent = traceparent
        self.status = status
        self.failure = failure
        self.cache = cache
        self.timing = timing
    }
}
