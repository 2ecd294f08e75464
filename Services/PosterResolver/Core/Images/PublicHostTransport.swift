import NIOCore
import NIOSSL
import Synchronization
import Upstream

/// A transport to untrusted hosts: resolves each name once, and connects only to an address that the rule allows.
///
/// A second lookup could return another address than the checked one. The connection therefore uses the checked
/// address; the name is only used for TLS and `Host`.
struct PublicHostTransport: UpstreamTransport {
    private let rule: AddressRule
    private let resolver: HostResolver
    private let bodyLimit: Int
    private let trust: Trust

    /// - Parameters:
    ///   - trust: trusted root certificates; those of the system, except in tests.
    ///   - bodyLimit: in bytes.
    init(
        rule: AddressRule, resolver: HostResolver = .system, trust: NIOSSLTrustRoots = .default, bodyLimit: Int
    ) {
        self.rule = rule
        self.resolver = resolver
        self.trust = Trust(roots: trust)
        self.bodyLimit = bodyLimit
    }

    /// - Returns: the answer, without its body unless the status is a success.
    /// - Throws: the errors of any transport, and `UpstreamError` with code `addressRefused`.
    func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
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
        return try await request.withDeadline(deadline) { granted in
            do {
                let tls = web.isSecure ? try trust.context() : nil
                return try await DirectExchange(web: web, address: address, tls: tls, bodyLimit: bodyLimit)
                    .send(request, within: granted)
            } catch {
                // Cancellation, by the caller or by the deadline task: a closed connection reports it with several
                // errors.
                try Task.checkCancellation()
                throw UpstreamError.failure(error, of: request, within: granted, bodyLimit: bodyLimit)
            }
        }
    }
}

/// The trusted certificates, more than a hundred; read when they are first needed.
private final class Trust: Sendable {
    private let roots: NIOSSLTrustRoots
    private let created = Mutex<NIOSSLContext?>(nil)

    init(roots: NIOSSLTrustRoots) {
        self.roots = roots
    }

    func context() throws -> NIOSSLContext {
        try created.withLock { created in
            if let created { return created }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = roots
            configuration.applicationProtocols = ["http/1.1"]
            // Limits the wait for a peer that does not shut down the connection.
            configuration.shutdownTimeout = .milliseconds(100)
            let context = try NIOSSLContext(configuration: configuration)
            created = context
            return context
        }
    }
}
