public import Envelope

/// The difference between a fetched and a stored value, to be published as an event.
public struct Revision: Sendable {
    /// For example "chart.revised".
    public let kind: String
    public let attributes: [String: AttributeValue]

    public init(kind: String, attributes: [String: AttributeValue]) {
        self.kind = kind
        self.attributes = attributes
    }
}
