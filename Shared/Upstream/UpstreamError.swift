/// Why an upstream gave no usable answer: a stable code for programs and one English sentence for people.
///
/// No text in it ever holds an API key or a URL with one. Cancellation is no upstream error: `CancellationError` passes
/// through this library untouched.
public struct UpstreamError: Error, Sendable, Equatable {
    public let code: Code
    /// One sentence: what failed and why.
    public let message: String
    /// The status that came with the answer, when there was one. KOBIS sends its faults with 200.
    public let httpStatus: Int?
    /// The upstream's own name for the fault, as text: "320010", "-10", "RequestThrottled".
    public let faultCode: String?
    /// Whether the same request may succeed when it is sent again soon.
    public let isRetriable: Bool

    /// - Parameter isRetriable: When left out, what is usual for the code: true for `transport`, `timeout` and `unavailable`, and for
    ///   `http` with status 408, 429 or 5xx.
    public init(
        _ code: Code, _ message: String, httpStatus: Int? = nil, faultCode: String? = nil, isRetriable: Bool? = nil
    ) {
        self.code = code
        self.message = message
        self.httpStatus = httpStatus
        self.faultCode = faultCode
        self.isRetriable = isRetriable ?? code.isUsuallyRetriable(httpStatus: httpStatus)
    }
}

extension UpstreamError {
    /// Whether KOBIS says that the key's calls of the day are used up. What Kakao says of its quota may pass in seconds.
    public var isDayUsedUp: Bool { code == .quotaExceeded && faultCode == KobisFault.dayUsedUp }
}

extension UpstreamError: CustomStringConvertible {
    public var description: String { "\(code): \(message)" }
}
