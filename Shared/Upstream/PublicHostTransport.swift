internal import NIOCore
public import NIOSSL
internal import Synchronization

/// The way to hosts that nobody has vouched for: each is looked up once, and only an address that the rule allows is
/// connected to, that very one.
///
/// A host could give a public address to whoever checks it and another to whoever connects: so the address that was checked
/// is the one that is connected to, and the name goes into TLS and `Host` only.
public struct PublicHostTransport: UpstreamTransport {
    private let rule: AddressRule
    private let resolver: HostResolver
    private let bodyLimit: Int
    private let trust: Trust

    /// - Parameters:
    ///   - trust: whose certificates are believed; those that the system believes, unless a test has its own.
    ///   - bodyLimit: in bytes.
    public init(
        rule: AddressRule, resolver: HostResolver = .system, trust: NIOSSLTrustRoots = .default, bodyLimit: Int
    ) {
        self.rule = rule
        self.resolver = resolver
        self.trust = Trust(roots: trust)
        self.bodyLimit = bodyLimit
    }

    /// - Returns: the answer, without its body when it is no success.
    /// - Throws: as any transport, and `UpstreamError` with code `addressRefused`.
    public func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
        guard let web = WebAddress(request.url) else {
            throw UpstreamError(.requestRefused, "An address is no http or https URL of a host.")
        }
        let literal = try? SocketAddress(ipAddress: web.host, port: web.port)
        let address: SocketAddress
        if let literal { address = literal } else { address = try await resolver.address(web.host, web.port, deadline) }
        guard rule.allows(address) else {
            throw UpstreamError(
                .addressRefused, "\(web.host) is not asked: its address is not of the public internet.")
        }
        return try await request.ending(by: deadline) { granted in
            do {
                let tls = web.isSecure ? try trust.context() : nil
                return try await DirectExchange(web: web, address: address, tls: tls, bodyLimit: bodyLimit)
                    .send(request, within: granted)
            } catch {
                // Cancelled from outside or by the deadline's task: a connection that is closed then has several words for it.
                try Task.checkCancellation()
                throw UpstreamError.failure(error, of: request, within: granted, bodyLimit: bodyLimit)
            }
        }
    }
}

/// The certificates that are believed, read when they are first needed: a hundred and more.
private final class Trust: Sendable {
    private let roots: NIOSSLTrustRoots
    private let made = Mutex<NIOSSLContext?>(nil)

    init(roots: NIOSSLTrustRoots) {
        self.roots = roots
    }

    func context() throws -> NIOSSLContext {
        try made.withLock { made in
            if let made { return made }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = roots
            configuration.applicationProtocols = ["http/1.1"]
            // A peer that does not say goodbye is not waited for.
            configuration.shutdownTimeout = .milliseconds(100)
            let context = try NIOSSLContext(configuration: configuration)
            made = context
            return context
        }
    }
}
