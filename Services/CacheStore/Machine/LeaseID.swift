/// The unique identifier of a lease.
///
/// Each start of the store has a new epoch: a lease of its predecessor never equals one of its own.
public struct LeaseID: Hashable, Sendable, LosslessStringConvertible {
    public let epoch: UInt64
    /// Counts the leases of this epoch from 1.
    public let number: UInt64

    public init(epoch: UInt64, number: UInt64) {
        self.epoch = epoch
        self.number = number
    }

    /// Reads what `description` writes; `nil` for any other text.
    public init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = UInt64(parts[0], radix: 16), let number = UInt64(parts[1]) else {
            return nil
        }
        self.init(epoch: epoch, number: number)
    }

    /// The epoch in hexadecimal and the number in decimal, such as `9f2c-17`.
    public var description: String { "\(String(epoch, radix: 16))-\(number)" }
}

/// The identifier of a request for a lease, chosen by the caller that answers it; unique among live requests.
public struct WaiterID: Hashable, Sendable {
    public let rawValue: UInt64

    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
