/// What a broker has counted since its start.
public struct BrokerCounters: Sendable, Equatable {
    /// Requests for services; questions about the broker itself are not among them.
    public var requests = 0
    public var answered = 0
    public var redeliveries = 0
    public var refused: [Refusal: Int] = [:]
    public var dropped: [DropReason: Int] = [:]
    /// Every message is counted once: by the branch that took it, or by its fault.
    public var received: [PeerMessage.Kind: Int] = [:]
    public var faults: [MessageFault: Int] = [:]

    public init() {}
}
