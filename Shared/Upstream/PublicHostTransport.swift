internal import AsyncHTTPClient
internal import NIOCore

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The way to hosts that nobody has vouched for: each is looked up once, and only an address that the rule allows is
/// connected to, that very one.
///
/// A host could give a public address to whoever checks it and another to whoever connects. So each request has an HTTP
/// client of its own, for which the host's name is the checked address; the name itself still goes into TLS and `Host`.
public struct PublicHostTransport: UpstreamTransport {
    private let rule: AddressRule
    private let resolver: HostResolver
    private let bodyLimit: Int

    /// - Parameter bodyLimit: in bytes.
    public init(rule: AddressRule, resolver: HostResolver = .system, bodyLimit: Int) {
        self.rule = rule
        self.resolver = resolver
        self.bodyLimit = bodyLimit
    }

    /// - Throws: as any transport, and `UpstreamError` with code `addressRefused`.
    public func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
        // Read by the same parser as in the client, or the two could take different texts for the host. Other schemes
        // would be Unix sockets there.
        guard let url = URL(string: request.url), let scheme = url.scheme?.lowercased(),
            let defaultPort = ["http": 80, "https": 443][scheme], let name = url.host, url.user == nil
        else {
            throw UpstreamError(.requestRefused, "An address is no http or https URL with a host.", isRetriable: false)
        }
        let host = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
        guard !host.isEmpty else { throw UpstreamError(.requestRefused, "An address has no host.") }
        let port = url.port ?? defaultPort
        let literal = try? SocketAddress(ipAddress: host, port: port)
        let address: SocketAddress
        if let literal { address = literal } else { address = try await resolver.address(host, port, deadline) }
        guard rule.allows(address), let checked = address.ipAddress else {
            throw UpstreamError(
                .addressRefused, "\(host) is not asked: its address is not of the public internet.")
        }
        var configuration = HTTPClientTransport.clientConfiguration
        if literal == nil { configuration.dnsOverride = [host: checked] }
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            try await HTTPClientTransport(client: client, bodyLimit: bodyLimit).send(request, deadline: deadline)
        }
    }
}
