public import Envelope

/// What a fetch brought that differs from what was stored, to be told as an event.
public struct Revision: Sendable {
    /// "chart.revised".
    public let kind: String
    public let attributes: [String: AttributeValue]

    public init(kind: String, attributes: [String: AttributeValue]) {
        self.kind = kind
        self.attributes = attributes
    }
}
