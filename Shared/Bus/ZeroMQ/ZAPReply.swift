/// The answer to a `ZAPRequest` (ZeroMQ RFC 27).
public struct ZAPReply: Error, Sendable, Equatable {
    /// `300`, "try later", is not used: a libzmq peer would retry without end, many times a second.
    public enum Status: String, Sendable {
        case admitted = "200"
        case refused = "400"
        case internalError = "500"
    }

    public let id: [UInt8]
    public let status: Status
    public let text: String
    /// The user id in the messages of an admitted peer (`MessageOrigin`).
    public var userID = ""

    /// The frames for the ROUTER, whose first is the return address.
    public func message(to returnAddress: [UInt8]) -> Message {
        let metadata: [UInt8] = []
        return [
            returnAddress, [], ZAPRequest.version, id, Array(status.rawValue.utf8), Array(text.utf8),
            Array(userID.utf8),
            metadata,
        ]
    }
}
