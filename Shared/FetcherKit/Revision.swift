public import Envelope

/// What a fetch brought that differs from what was stored, to be told as an event.
public struct Revision: Sendable {
    /// "chart.revised".
    public let kind: String
    public let facts: [String: Fact]

    public init(kind: String, facts: [String: Fact]) {
        self.kind = kind
        self.facts = facts
    }
}
