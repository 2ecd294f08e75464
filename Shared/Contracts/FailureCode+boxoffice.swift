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
    /// None of a poster's addresses has an image.
    public static let noImage = FailureCode(rawValue: "no_image")
    /// None of a poster's addresses gave an image, and one of them may have it the next time.
    public static let imageUnreachable = FailureCode(rawValue: "image_unreachable")
    /// A host was not asked: its address is not of the public internet.
    public static let addressRefused = FailureCode(rawValue: "address_refused")
    /// The upstream does not accept the key.
    public static let keyRejected = FailureCode(rawValue: "key_rejected")
    /// No key, or one that cannot be used.
    public static let configuration = FailureCode(rawValue: "configuration")
    public static let quotaExceeded = FailureCode(rawValue: "quota_exceeded")
    /// The upstream answered something that is not what was agreed.
    public static let upstreamMalformed = FailureCode(rawValue: "upstream_malformed")
    /// The upstream does not accept what was asked: a mistake of ours.
    public static let requestRefused = FailureCode(rawValue: "request_refused")
    /// The upstream refused in its own words, with a code that means nothing else here.
    public static let upstreamFault = FailureCode(rawValue: "upstream_fault")
    /// No connection to the upstream, or one that broke.
    public static let upstreamUnreachable = FailureCode(rawValue: "upstream_unreachable")
    /// The upstream answered with an HTTP status that is no success, and said nothing more.
    public static let upstreamHTTP = FailureCode(rawValue: "upstream_http")
    public static let upstreamTimeout = FailureCode(rawValue: "upstream_timeout")
    /// The upstream was not asked: it has not answered lately, and its circuit breaker is open.
    public static let upstreamUnavailable = FailureCode(rawValue: "upstream_unavailable")
    /// Only what is stored was asked for, and there is nothing.
    public static let notStored = FailureCode(rawValue: "not_stored")
    /// What is stored is past its freshness for longer than the asker allows.
    public static let tooOld = FailureCode(rawValue: "too_old")
    /// A part does not decode as its contract says.
    public static let unreadable = FailureCode(rawValue: "unreadable")
    /// The disk refused.
    public static let storage = FailureCode(rawValue: "storage")
    /// The cache takes no more waiters now.
    public static let busy = FailureCode(rawValue: "busy")
}
