/// What a request asks for, and of which host: an absolute target names the host instead of its Host field (RFC 9112, 3.2.2).
public struct RequestTarget: Sendable, Equatable {
    /// Path and query.
    public let path: String
    /// A name or an address, with or without a port; nil when the request names none.
    public let host: String?

    /// - Parameters:
    ///   - target: as it was sent, such as "/2022-01-05" or "http://localhost:8080/2022-01-05".
    ///   - host: of the Host field.
    public init(_ target: String, host: String?) {
        let isPath = target.utf8.first == UInt8(ascii: "/")
        guard !isPath, let scheme = ["http://", "https://"].first(where: target.lowercased().hasPrefix) else {
            (path, self.host) = (target, host)
            return
        }
        let rest = target.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let path = rest.dropFirst(authority.count)
        self.path = path.hasPrefix("/") ? String(path) : "/\(path)"
        self.host = String(authority)
    }

    /// The host in lower case without its port; nil for a text that is no host.
    public var hostName: String? {
        guard let host else { return nil }
        let port = host.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        let hasPort = (1...5).contains(port) && host.utf8.dropLast(port).last == UInt8(ascii: ":")
        let name = (hasPort ? host.dropLast(port + 1) : host[...]).lowercased()
        let isAddress = name.hasPrefix("[") && Self.isAddress(name)
        let isName = !name.isEmpty && name.utf8.allSatisfy(Self.isOfName)
        return isAddress || isName ? name : nil
    }

    /// Whether a host is an address, which no name server gives.
    public static func isAddress(_ name: String) -> Bool {
        ClientAddress(name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name) != nil
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    public static let loopback: Set<String> = ["127.0.0.1", "localhost", "[::1]"]
}
