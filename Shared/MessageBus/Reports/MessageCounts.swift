/// The number of messages that the broker received, each counted once (`mmi.stats`, third frame).
public struct MessageCounts: Codable, Sendable, Equatable {
    /// By the decoder branch that accepted the message.
    public let received: [String: Int]
    /// By the fault of the message; all of these are also counted as dropped by the broker.
    public let faults: [String: Int]

    public init(received: [String: Int], faults: [String: Int]) {
        self.received = received
        self.faults = faults
    }
}
