import NIOCore
import Upstream

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Host, port and target of an http or https URL, parsed strictly.
struct WebAddress: Sendable, Hashable {
    let isSecure: Bool
    /// A name of letters, digits, dots, hyphens and underscores, or an IP address without brackets.
    let host: String
    let port: Int
    /// Path and query, unchanged.
    let target: String

    /// Nil for another scheme, a user, an invalid port, or a host with other characters, which a resolver could
    /// interpret as another host.
    init?(_ text: String) {
        guard let url = URL(string: text), url.user == nil, url.password == nil, let scheme = url.scheme?.lowercased(),
            let defaultPort = ["http": 80, "https": 443][scheme], let name = url.host
        else { return nil }
        let port = url.port ?? defaultPort
        guard (1...65_535).contains(port) else { return nil }
        let host = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
        guard (1...253).contains(host.utf8.count), Self.isName(host) || Self.isAddress(host) else { return nil }
        isSecure = scheme == "https"
        self.host = host
        self.port = port
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        target = (path.isEmpty ? "/" : path) + query
        // Text after a space or a line break would be another part of the request.
        guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    }

    private static func isName(_ host: String) -> Bool {
        host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    private static func isAddress(_ host: String) -> Bool {
        (try? SocketAddress(ipAddress: host, port: 0)) != nil
    }

    /// The value of the `Host` header: IPv6 addresses in brackets, default ports omitted.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }
}
