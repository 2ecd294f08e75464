/// How many messages the broker got, each counted once (`mmi.stats`, third frame).
public struct MessageCounts: Codable, Sendable, Equatable {
    /// By the decoder's branch that took it.
    public let received: [String: Int]
    /// By what was wrong with it; all of these are among the broker's dropped.
    public let faults: [String: Int]

    public init(received: [String: Int], faults: [String: Int]) {
        self.received = received
        self.faults = faults
    }
}
