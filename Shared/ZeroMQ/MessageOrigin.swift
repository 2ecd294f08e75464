/// Where a message came from, as libzmq's metadata say.
public struct MessageOrigin: Sendable, Equatable {
    /// The descriptor of the connection; -1 for a message that came over none.
    public let descriptor: Int32
    /// What the authenticator called the peer (see `ZAPReply`); nil over connections without one.
    public let userID: String?
}

/// A message of a ROUTER, which puts the address of the peer in front.
public struct AddressedMessage: Sendable {
    public let address: [UInt8]
    public let frames: Message
    public let origin: MessageOrigin
}
