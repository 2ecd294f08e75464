/// A complete answer: status, content type and body.
public struct UpstreamResponse: Sendable, Equatable {
    public let status: Int
    /// The `Content-Type` header, if any. Only for messages: that of KOBIS is unreliable.
    public let contentType: String?
    /// The `Location` header, if any: the target of a redirect, possibly relative to the request.
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
