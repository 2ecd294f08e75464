/// The name of one request for a lease, chosen by whoever must answer it; no two live requests share one.
public struct WaiterID: Hashable, Sendable {
    public let rawValue: UInt64

    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
