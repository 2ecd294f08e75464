/// The result of a fetch: the value, which is answered and stored byte for byte.
public struct FetchedPart: Sendable {
    public let value: [UInt8]
    /// Time for which the value is fresh.
    public let freshFor: Duration
    /// Attributes that the cache stores with the value.
    public let attributes: [String: String]
    /// The difference from the value that was stored before; nil when there is none to publish.
    let revision: @Sendable (_ stored: [UInt8]) throws -> Revision?

    public init(
        value: [UInt8], freshFor: Duration, attributes: [String: String] = [:],
        revision: @escaping @Sendable (_ stored: [UInt8]) throws -> Revision? = { _ in nil }
    ) {
        self.value = value
        self.freshFor = freshFor
        self.attributes = attributes
        self.revision = revision
    }
}
