/// The origin of a message, from libzmq's metadata.
public struct MessageOrigin: Sendable, Equatable {
    /// The descriptor of the connection; -1 for a message without a connection.
    public let descriptor: Int32
    /// The user id that the authenticator gave the peer (see `ZAPReply`); nil over connections without an
    /// authenticator.
    public let userID: String?
}

/// A message received by a ROUTER, which adds the address of the peer as the first frame.
public struct AddressedMessage: Sendable {
    public let address: [UInt8]
    public let frames: Message
    public let origin: MessageOrigin
}
