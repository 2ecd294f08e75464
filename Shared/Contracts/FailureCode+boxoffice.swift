public import Envelope

extension FailureCode {
    /// No such film.
    public static let notFound = FailureCode(rawValue: "not_found")
    /// The day's chart is not out yet.
    public static let notPublished = FailureCode(rawValue: "not_published")
    /// A settled day without a chart.
    public static let empty = FailureCode(rawValue: "empty")
    /// A search without hits.
    public static let noHits = FailureCode(rawValue: "no_hits")
    /// The upstream does not accept the key.
    public static let keyRejected = FailureCode(rawValue: "key_rejected")
    /// No key, or one that cannot be used.
    public static let configuration = FailureCode(rawValue: "configuration")
    public static let quotaExceeded = FailureCode(rawValue: "quota_exceeded")
    /// The upstream answered nonsense.
    public static let upstreamMalformed = FailureCode(rawValue: "upstream_malformed")
    /// The upstream refused the request.
    public static let upstreamRefused = FailureCode(rawValue: "upstream_refused")
    /// The upstream cannot be reached, or answers with a server error.
    public static let upstreamUnavailable = FailureCode(rawValue: "upstream_unavailable")
    public static let upstreamTimeout = FailureCode(rawValue: "upstream_timeout")
    /// The cache takes no more waiters now.
    public static let busy = FailureCode(rawValue: "busy")
}
