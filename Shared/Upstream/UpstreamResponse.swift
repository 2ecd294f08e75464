/// What came back: the status, what the body says it is, and the whole body.
public struct UpstreamResponse: Sendable, Equatable {
    public let status: Int
    /// The `Content-Type` header, when there was one. A hint for messages: KOBIS's is not relied on.
    public let contentType: String?
    /// The `Location` header, when there was one: where a redirect points to, perhaps relative to what was asked.
    public let location: String?
    public let body: [UInt8]

    public init(status: Int, contentType: String? = nil, location: String? = nil, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.location = location
        self.body = body
    }

    public var isSuccess: Bool { (200..<300).contains(status) }
}
