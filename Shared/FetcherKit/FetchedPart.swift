/// What a fetch brought: the value that is passed on and stored, byte for byte.
public struct FetchedPart: Sendable {
    public let value: [UInt8]
    /// How long it is fresh.
    public let freshFor: Duration
    /// Facts told to the cache beside the value.
    public let attributes: [String: String]
    /// How it differs from the value that was stored before; nil when it does not, or nobody needs to know.
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
