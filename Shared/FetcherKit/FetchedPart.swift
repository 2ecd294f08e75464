/// What a fetch brought: the payload that is passed on and stored, byte for byte.
public struct FetchedPart: Sendable {
    public let payload: [UInt8]
    /// How long it is fresh.
    public let freshFor: Duration
    /// Facts told to the cache beside the payload.
    public let attributes: [String: String]
    /// How it differs from the payload that was stored before; nil when it does not, or nobody needs to know.
    let revision: @Sendable (_ stored: [UInt8]) throws -> Revision?

    public init(
        payload: [UInt8], freshFor: Duration, attributes: [String: String] = [:],
        revision: @escaping @Sendable (_ stored: [UInt8]) throws -> Revision? = { _ in nil }
    ) {
        self.payload = payload
        self.freshFor = freshFor
        self.attributes = attributes
        self.revision = revision
    }
}
