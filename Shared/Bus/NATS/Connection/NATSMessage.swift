internal import CNATS

/// A message as received.
struct NATSMessage: Sendable, Hashable {
    let subject: String
    /// The subject for answers; nil when none is expected.
    let reply: String?
    let data: [UInt8]
    /// The number in a message of the server itself, such as 404; nil in all others.
    let status: Int?

    /// The subject for answers, if it is one that clients use: this process may answer to every subject that it is given,
    /// and its answer could be a message of another kind there.
    var inbox: String? { reply.flatMap { $0.hasPrefix(NATSConnection.inboxPrefix) ? $0 : nil } }

    /// - Parameter message: stays the caller's.
    init(_ message: OpaquePointer) {
        subject = nats.natsMsg_GetSubject(message).map { String(cString: $0) } ?? ""
        reply = nats.natsMsg_GetReply(message).map { String(cString: $0) }
        let count = Int(nats.natsMsg_GetDataLength(message))
        data = nats.natsMsg_GetData(message).map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
        status = count == 0 ? Self.status(of: message) : nil
    }

    private static func status(of message: OpaquePointer) -> Int? {
        var value: UnsafePointer<CChar>?
        guard nats.natsMsgHeader_Get(message, "Status", &value) == NATS_OK, let value else { return nil }
        return Int(String(cString: value))
    }
}
