package import MessageBus
internal import PollLoop

/// How the servers of NATS are reached.
package struct NATSConfiguration: TransportConfiguration {
    /// URLs such as "nats://host:4222", or "tls://host:4222" for encrypted connections to all of them.
    package var servers: [String]
    /// A file of certificates (PEM) that certify those of the servers; nil for the ones that the system trusts.
    package var trustedCertificates: String?
    package var dispatch = DispatchTiming()
    var admission = AdmissionTiming()
    var claim = ClaimTiming()
    var outbox = OutboxTiming()
    private var key: NATSKey?

    package init(servers: [String]) {
        self.servers = servers
    }

    /// Uses the key of a user of NATS, which decides what this process may do.
    ///
    /// - Parameter text: of the file: the public key and the seed, each on a line.
    /// - Returns: false for another text.
    package mutating func useKey(_ text: String, in file: String) -> Bool {
        key = NATSKey(text, in: file)
        return key != nil
    }

    /// - Throws: an error with a description when no connection is possible: without libnats, or with an unreadable file.
    package func check() throws {
        try options(named: "check").check()
    }

    package func withTransport<Result: Sendable>(
        of bus: BusConfiguration, _ body: (any BusTransport) async throws -> Result
    ) async throws -> Result {
        let loop = try PollLoop()
        return try await loop.withRunning {
            try await withNATSConnection(options(named: bus.instance), on: loop) { connection in
                try await body(NATSTransport(self, of: bus, connection, on: loop))
            }
        }
    }

    var address: String { servers.joined(separator: ",") }

    private func options(named name: String) -> NATSOptions {
        var options = NATSOptions(servers: servers, name: name)
        options.key = key
        options.trustedCertificates = trustedCertificates
        options.usesTLS = servers.contains { $0.hasPrefix("tls://") }
        return options
    }
}
