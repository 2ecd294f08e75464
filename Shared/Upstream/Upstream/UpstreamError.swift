/// Why an upstream gave no usable answer: a stable code for programs and one English sentence for users.
///
/// Its texts never contain an API key, or a URL with a key. Cancellation is not an upstream error: this library throws
/// `CancellationError` unchanged.
public struct UpstreamError: Error, Sendable, Equatable {
    public let code: Code
    /// One sentence: what failed and why.
    public let message: String
    /// The status of the answer, if there was one. KOBIS sends its faults with 200.
    public let httpStatus: Int?
    /// The fault code of the upstream, as text: "320010", "-10", "RequestThrottled".
    public let faultCode: String?
    /// Whether the upstream reports that the daily calls of the key are used up; another refusal may end in seconds.
    public let isDayUsedUp: Bool
    /// Whether the same request may succeed when it is sent again soon.
    public let isRetryable: Bool

    /// - Parameter isRetryable: By default true for `transport`, `timeout` and `unavailable`, and for `http` with
    ///   status 408, 429 or 5xx.
    public init(
        _ code: Code, _ message: String, httpStatus: Int? = nil, faultCode: String? = nil, isRetryable: Bool? = nil,
        isDayUsedUp: Bool = false
    ) {
        self.code = code
        self.message = message
        self.httpStatus = httpStatus
        self.faultCode = faultCode
        self.isDayUsedUp = isDayUsedUp
        self.isRetryable = isRetryable ?? code.isUsuallyRetriable(httpStatus: httpStatus)
    }
}

extension UpstreamError: CustomStringConvertible {
    public var description: String { "\(code): \(message)" }
}

extension UpstreamError {
    /// A status other than 2xx, without further information in the body.
    package static func http(_ response: UpstreamResponse, from upstream: String) -> UpstreamError {
        let hint = (300..<400).contains(response.status) ? ", a redirect, which is not followed" : ""
        return UpstreamError(
            .http, "\(upstream) answered with HTTP status \(response.status)\(hint).", httpStatus: response.status)
    }
}

extension UpstreamError {
    /// The same error for display: without the key and control characters, limited in length.
    ///
    /// Upstreams repeat parts of the request (Kakao the key itself), so every client applies this to every error it
    /// throws. The key is masked before the text is cut, which could leave a part of it, and after control characters are
    /// removed, which could stand in the middle of it.
    package func presentable(hiding key: APIKey) -> UpstreamError {
        UpstreamError(
            code, Self.presentable(message, hiding: key), httpStatus: httpStatus,
            faultCode: faultCode.map { Self.presentable($0, hiding: key) }, isRetryable: isRetryable,
            isDayUsedUp: isDayUsedUp)
    }

    private static func presentable(_ text: String, hiding key: APIKey) -> String {
        let printed = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        let shown = key.masked(in: printed)
        let limit = 400
        guard shown.unicodeScalars.count > limit else { return shown }
        return String(shown.unicodeScalars.prefix(limit)) + "…"
    }
}
