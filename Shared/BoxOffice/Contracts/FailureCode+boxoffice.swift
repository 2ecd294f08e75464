public import Envelope

extension FailureCode {
    /// No such film.
    public static let notFound = FailureCode(rawValue: "not_found")
    /// The day's chart is not yet published.
    public static let notPublished = FailureCode(rawValue: "not_published")
    /// A past day without a chart.
    public static let empty = FailureCode(rawValue: "empty")
    /// A search without hits.
    public static let noHits = FailureCode(rawValue: "no_hits")
    /// None of a poster's addresses has an image.
    public static let noImage = FailureCode(rawValue: "no_image")
    /// None of a poster's addresses returned an image, but a retry may succeed.
    public static let imageUnreachable = FailureCode(rawValue: "image_unreachable")
    /// A host was not called: its address is not public.
    public static let addressRefused = FailureCode(rawValue: "address_refused")
    /// The upstream does not accept the key.
    public static let keyRejected = FailureCode(rawValue: "key_rejected")
    /// The key is missing or unusable.
    public static let configuration = FailureCode(rawValue: "configuration")
    public static let quotaExceeded = FailureCode(rawValue: "quota_exceeded")
    /// The remaining calls of the day are reserved for requests of a higher class.
    public static let quotaReserved = FailureCode(rawValue: "quota_reserved")
    /// The upstream's answer does not have the documented format.
    public static let upstreamMalformed = FailureCode(rawValue: "upstream_malformed")
    /// The upstream rejected the request as invalid: a defect of this product.
    public static let requestRefused = FailureCode(rawValue: "request_refused")
    /// The upstream refused with a code that has no other meaning here.
    public static let upstreamFault = FailureCode(rawValue: "upstream_fault")
    /// The connection to the upstream failed or was lost.
    public static let upstreamUnreachable = FailureCode(rawValue: "upstream_unreachable")
    /// The upstream answered with an HTTP error status without further information.
    public static let upstreamHTTP = FailureCode(rawValue: "upstream_http")
    public static let upstreamTimeout = FailureCode(rawValue: "upstream_timeout")
    /// The upstream was not called: its circuit breaker is open after recent failures.
    public static let upstreamUnavailable = FailureCode(rawValue: "upstream_unavailable")
    /// Only stored values were requested, and none is stored.
    public static let notStored = FailureCode(rawValue: "not_stored")
    /// The stored value is stale for longer than the caller allows.
    public static let tooOld = FailureCode(rawValue: "too_old")
    /// A part does not decode as its contract requires.
    public static let unreadable = FailureCode(rawValue: "unreadable")
    /// A disk operation failed.
    public static let storage = FailureCode(rawValue: "storage")
    /// The cache accepts no more waiters at the moment.
    public static let busy = FailureCode(rawValue: "busy")
}
