/// The identifier of a request for a lease, chosen by the caller that answers it; unique among live requests.
public struct WaiterID: Hashable, Sendable {
    public let rawValue: UInt64

    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
