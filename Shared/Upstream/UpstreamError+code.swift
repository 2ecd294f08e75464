extension UpstreamError {
    /// What kind of failure it was; the raw texts are stable.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public var description: String { rawValue }

        /// The base URL or the key cannot work, whatever is asked.
        public static let configuration = Code(rawValue: "configuration")
        /// The upstream knows the key not, or does not let it do this.
        public static let keyRejected = Code(rawValue: "key_rejected")
        /// The key may not call any more for now. Retriable only when the upstream throttles (HTTP 429), since that may
        /// pass in seconds; a used-up day does not.
        public static let quotaExceeded = Code(rawValue: "quota_exceeded")
        /// The upstream does not accept what was asked, or it could not even be asked: our mistake or the caller's.
        public static let requestRefused = Code(rawValue: "request_refused")
        /// No connection, or one that broke.
        public static let transport = Code(rawValue: "transport")
        /// No answer before the deadline.
        public static let timeout = Code(rawValue: "timeout")
        /// A status other than 2xx, without a fault that says more.
        public static let http = Code(rawValue: "http")
        /// The upstream refused in its own words, with a code that means nothing else here.
        public static let fault = Code(rawValue: "fault")
        /// An answer that is not what was agreed: HTML, half a body, nothing, or a field that cannot be read. Retriable
        /// when it is no JSON at all (a page of maintenance, a broken line), not when a field is wrong.
        public static let malformed = Code(rawValue: "malformed")
        /// The upstream has no such film.
        public static let notFound = Code(rawValue: "not_found")

        /// The host was not asked: its address is not of the public internet.
        public static let addressRefused = Code(rawValue: "address_refused")

        /// The host was not asked: its circuit breaker is open. Retriable, but not within the same request.
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
