extension UpstreamError {
    /// The kind of failure; the raw values are stable.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public var description: String { rawValue }

        /// The base URL or the key is unusable for every request.
        public static let configuration = Code(rawValue: "configuration")
        /// The upstream does not know the key, or does not authorise it for this request.
        public static let keyRejected = Code(rawValue: "key_rejected")
        /// The key has no calls left. Retriable only when the upstream throttles (HTTP 429), which may end in seconds,
        /// unlike a used-up daily quota.
        public static let quotaExceeded = Code(rawValue: "quota_exceeded")
        /// The upstream does not accept the request, or the request could not be built: an error on our side.
        public static let requestRefused = Code(rawValue: "request_refused")
        /// No connection, or one that broke.
        public static let transport = Code(rawValue: "transport")
        /// No answer before the deadline.
        public static let timeout = Code(rawValue: "timeout")
        /// A status other than 2xx, without a fault that says more.
        public static let http = Code(rawValue: "http")
        /// The upstream refused with a fault code that has no other meaning here.
        public static let fault = Code(rawValue: "fault")
        /// An answer of the wrong form: HTML, an incomplete or empty body, or an unreadable field. Retriable when it is
        /// not JSON (a maintenance page, a broken connection), not when a field is wrong.
        public static let malformed = Code(rawValue: "malformed")
        /// The upstream has no such film.
        public static let notFound = Code(rawValue: "not_found")

        /// The host was not called: its address is not of the public internet.
        public static let addressRefused = Code(rawValue: "address_refused")

        /// The host was not called: its circuit breaker is open. Retriable, but not within the same request.
        public static let unavailable = Code(rawValue: "unavailable")

        func isUsuallyRetriable(httpStatus: Int?) -> Bool {
            switch self {
            case .transport, .timeout, .unavailable: true
            case .http: httpStatus.map { $0 == 408 || $0 == 429 || $0 >= 500 } ?? false
            default: false
            }
        }
    }
}
