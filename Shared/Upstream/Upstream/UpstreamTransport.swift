/// Sends one request and returns one complete answer, before a deadline.
///
/// Every answer is a response, with any status. A transport does not retry or follow redirects: each call is exactly
/// one request, since each request costs quota.
public protocol UpstreamTransport: Sendable {
    /// - Throws: `UpstreamError` with code `transport`, `timeout`, `malformed` (body too large) or `configuration`, its
    ///   text without secrets; `CancellationError` when the task was cancelled. It returns or throws soon after the
    ///   deadline: callers have no timeout of their own.
    func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse
}

/// A complete answer: status, content type and body.
public struct UpstreamResponse: Sendable, Equatable {
    public let status: Int
    /// The `Content-Type` header, if any. Only for messages: that of KOBIS is unreliable.
    public let contentType: String?
    /// The `Location` header, if any: the target of a redirect, possibly relative to the request.
    public let location: String?
    /// The `X-Demo-Data` header, which only demo-upstream sends: how it made the answer.
    public let demoData: String?
    public let body: [UInt8]

    /// The name of the header of `demoData`.
    package static let demoDataHeader = "X-Demo-Data"

    public init(
        status: Int, contentType: String? = nil, location: String? = nil, demoData: String? = nil, body: [UInt8]
    ) {
        self.status = status
        self.contentType = contentType
        self.location = location
        self.demoData = demoData
        self.body = body
    }

    public var isSuccess: Bool { (200..<300).contains(status) }
}
