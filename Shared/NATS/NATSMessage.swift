internal import CNATS

/// A message as received.
public struct NATSMessage: Sendable, Hashable {
    public let subject: String
    /// The subject for answers; nil when none is expected.
    public let reply: String?
    public let data: [UInt8]

    /// - Parameter message: stays the caller's.
    init(_ message: OpaquePointer) {
        subject = String(cString: natsMsg_GetSubject(message))
        reply = natsMsg_GetReply(message).map { String(cString: $0) }
        let count = Int(natsMsg_GetDataLength(message))
        data = natsMsg_GetData(message).map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }
}
