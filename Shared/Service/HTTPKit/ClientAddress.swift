public import NIOCore

/// Where a request comes from, as far as limits depend on it: an IPv4 address, or the 64 bits that an IPv6 network has.
public struct ClientAddress: Sendable, Hashable {
    /// 4 or 8 bytes.
    let network: [UInt8]

    private static let mappedIPv4: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
    private static let loopbackIPv6: [UInt8] = Array(repeating: 0, count: 15) + [1]

    /// - Parameter text: "192.0.2.1", "2001:db8::1"; nil for other texts, also for a name.
    public init?(_ text: String) {
        // NIO says no more than that it is none.
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(address)
    }

    /// Nil for an address that is not an IP address.
    public init?(_ address: SocketAddress) {
        // The offsets are the same on all platforms; the field names belong to an internal module of NIO.
        let bytes: [UInt8]
        switch address {
        case .v4(let address): bytes = withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
        case .v6(let address): bytes = withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
        case .unixDomainSocket: return nil
        }
        switch bytes {
        case Self.loopbackIPv6: network = [127, 0, 0, 1]
        case _ where bytes.starts(with: Self.mappedIPv4): network = Array(bytes.dropFirst(12))
        default: network = Array(bytes.prefix(8))
        }
    }

    /// The machine itself: its user has no limit but that of all.
    public var isLoopback: Bool { network.count == 4 && network.first == 127 }

    /// The client of a request that a proxy may have passed on.
    ///
    /// - Parameters:
    ///   - peer: the other end of the connection.
    ///   - forwarded: the field X-Forwarded-For, whose last address is the one that the proxy has seen. It counts only
    ///     from a peer among `proxies`: anybody can write it.
    public init?(peer: SocketAddress?, forwarded: String?, proxies: Set<ClientAddress>) {
        guard let peer = peer.flatMap(ClientAddress.init) else { return nil }
        let last = forwarded?.split(separator: ",").last.map { $0.filter { !$0.isWhitespace } }
        self = proxies.contains(peer) ? last.flatMap(ClientAddress.init) ?? peer : peer
    }
}
