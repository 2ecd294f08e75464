/// What a fetch brought: the payload that is passed on and stored, byte for byte.
public struct FetchedPart: Sendable {
    public let payload: [UInt8]
    /// How long it is fresh.
    public let freshFor: Duration
    /// Facts told to the cache beside the payload.
    public let attributes: [String: String]

    public init(payload: [UInt8], freshFor: Duration, attributes: [String: String] = [:]) {
        self.payload = payload
        self.freshFor = freshFor
        self.attributes = attributes
    }
}
