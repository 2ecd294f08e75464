public import Majordomo
public import MessageBus

/// Counters of a broker since its start.
public struct BrokerCounters: Sendable, Equatable {
    /// Requests for services, without management requests (`mmi.…`).
    public var requests = 0
    public var answered = 0
    public var redeliveries = 0
    public var refused: [Refusal: Int] = [:]
    public var dropped: [DropReason: Int] = [:]
    /// Every message is counted once: by its kind here, or by its fault in `faults`.
    public var received: [PeerMessage.Kind: Int] = [:]
    public var faults: [MessageFault: Int] = [:]

    public init() {}
}
