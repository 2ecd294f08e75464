import NIOCore
import Upstream

/// A block of IP addresses, such as "10.0.0.0/8" or "fc00::/7".
struct IPNetwork: Sendable, Hashable {
    private let prefix: [UInt8]
    private let bits: Int

    /// - Parameter text: an address, a slash and the number of significant leading bits; nil for other texts.
    init?(_ text: String) {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let bits = Int(parts[1]),
            let bytes = try? SocketAddress(ipAddress: String(parts[0]), port: 0).ipBytes,
            (0...bytes.count * 8).contains(bits)
        else { return nil }
        prefix = bytes
        self.bits = bits
    }

    /// - Parameter address: 4 or 16 bytes; an address of the other family is never in the block.
    func contains(_ address: [UInt8]) -> Bool {
        guard address.count == prefix.count else { return false }
        return (0..<prefix.count).allSatisfy { index in
            let counting = min(8, max(0, bits - index * 8))
            return (address[index] ^ prefix[index]) >> (8 - counting) == 0
        }
    }
}

extension SocketAddress {
    /// The address in network byte order, 4 or 16 bytes; nil for a Unix socket.
    var ipBytes: [UInt8]? {
        // The offsets are the same on all platforms; the field names belong to an internal module of NIO.
        switch self {
        case .v4(let address): withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
        case .v6(let address): withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
        case .unixDomainSocket: nil
        }
    }
}
