/// What came back: the status, what the body says it is, and the whole body.
public struct UpstreamResponse: Sendable, Equatable {
    public let status: Int
    /// The `Content-Type` header, when there was one. A hint for messages: KOBIS's is not relied on.
    public let contentType: String?
    public let body: [UInt8]

    public init(status: Int, contentType: String? = nil, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    var isSuccess: Bool { (200..<300).contains(status) }
}
