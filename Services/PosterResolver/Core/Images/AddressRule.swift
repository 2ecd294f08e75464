import NIOCore
import Upstream

/// The addresses that may be called for search results: those of the public internet.
///
/// An address in a search result is untrusted text. Without this rule it could make a fetcher call hosts that only this
/// machine or its network can reach: a router, the metadata service of a cloud. The blocks are those of IANA's
/// registries of special-purpose addresses.
struct AddressRule: Sendable {
    /// Allowed in spite of the rule, with their port: the demo upstream on the loopback interface.
    private let exceptions: [SocketAddress]

    init(exceptions: [SocketAddress] = []) {
        self.exceptions = exceptions
    }

    /// The rule for an upstream: if it is on the loopback interface, as in the demo, its images are there, too.
    ///
    /// - Parameter baseURL: base URL of the upstream.
    init(besides baseURL: String) {
        let loopback = ["127.0.0.1", "::1"]
        guard let upstream = WebAddress(baseURL), (loopback + ["localhost"]).contains(upstream.host.lowercased()) else {
            self.init()
            return
        }
        self.init(exceptions: loopback.compactMap { try? SocketAddress(ipAddress: $0, port: upstream.port) })
    }

    func allows(_ address: SocketAddress) -> Bool {
        if exceptions.contains(address) { return true }
        return address.ipBytes.map(Self.isPublic) ?? false
    }

    private static func isPublic(_ address: [UInt8]) -> Bool {
        guard address.count == 16 else { return !special.contains { $0.contains(address) } }
        // An IPv6 address that embeds an IPv4 address: the embedded address decides.
        if embedding.contains(where: { $0.contains(address) }) { return isPublic(Array(address.suffix(4))) }
        return global.contains(where: { $0.contains(address) }) && !special.contains { $0.contains(address) }
    }

    private static let global = networks("2000::/3")
    /// IPv4-mapped addresses, and those that NAT64 translates.
    private static let embedding = networks("::ffff:0.0.0.0/96", "64:ff9b::/96")
    private static let special = networks(
        // This host, private networks, carrier networks, loopback, link-local (also most cloud metadata services).
        "0.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        // Protocol assignments, documentation, 6to4 relays, benchmarks, multicast, reserved and broadcast.
        "192.0.0.0/24", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "192.88.99.0/24", "198.18.0.0/15",
        "224.0.0.0/4", "240.0.0.0/4",
        // Azure has a service for its machines at an address of a public range.
        "168.63.129.16/32",
        // Within 2000::/3: protocol assignments with Teredo, documentation, 6to4.
        "2001::/23", "2001:db8::/32", "3fff::/20", "2002::/16")

    private static func networks(_ texts: String...) -> [IPNetwork] {
        texts.map { text in
            guard let network = IPNetwork(text) else { preconditionFailure("\(text) is no block of addresses") }
            return network
        }
    }
}
