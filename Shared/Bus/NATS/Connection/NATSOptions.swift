internal import CNATS

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// How the servers are reached.
struct NATSOptions: Sendable {
    /// URLs such as "nats://host:4222"; one that answers is used, preferably one that has reached others.
    var servers: [String]
    /// The name by which the servers list this connection.
    var name: String
    /// Nil for servers that admit everybody.
    var key: NATSKey?
    /// Encrypt, and check that a server's certificate is valid for the host in its URL.
    var usesTLS = false
    /// A file of certificates (PEM) that certify those of the servers; nil for the ones that the system trusts.
    var trustedCertificates: String?
    /// The limit of one attempt to connect.
    var connectTimeout: Duration = .seconds(2)
    /// How long the other servers are tried once one has answered that has not reached any of them.
    var peerWait: Duration = .milliseconds(500)
    /// The pause before the next attempt.
    var reconnectWait: Duration = .milliseconds(50)
    /// A server that has not answered two messages, one in each interval, counts as lost.
    var checkInterval: Duration = .milliseconds(500)
    /// The limit of unread messages of a subscription; further ones are dropped.
    var maxPendingMessages = 65_536

    init(servers: [String], name: String) {
        self.servers = servers
        self.name = name
    }

    /// - Throws: `NATSError` when libnats is missing, or does not accept the options.
    func check() throws(NATSError) {
        try withOptions { _ throws(NATSError) in }
    }

    /// Calls `body` with options of libnats that have these values.
    func withOptions<Result>(
        _ body: (OpaquePointer) throws(NATSError) -> Result
    ) throws(NATSError) -> Result {
        try loadLibNATS()
        var created: OpaquePointer?
        try NATSError.check(nats.natsOptions_Create(&created), "make options")
        guard let options = created else { throw NATSError(code: .invalidArgument, operation: "make options") }
        defer { nats.natsOptions_Destroy(options) }
        try setServers(of: options)
        try NATSError.check(nats.natsOptions_SetName(options, name), "set the name")
        try NATSError.check(
            nats.natsOptions_SetTimeout(options, connectTimeout.milliseconds), "set the limit for connecting")
        // See `Link`.
        try NATSError.check(nats.natsOptions_SetAllowReconnect(options, false), "connect once")
        // It would end the connection on a thread of its own: see `NATSConnection.checkServer`.
        try NATSError.check(nats.natsOptions_SetPingInterval(options, 0), "send no pings")
        try NATSError.check(
            nats.natsOptions_SetMaxPendingMsgs(options, Int32(clamping: maxPendingMessages)),
            "set the limit of messages")
        if usesTLS { try NATSError.check(nats.natsOptions_SetSecure(options, true), "use TLS") }
        if let trustedCertificates {
            try NATSError.check(
                nats.natsOptions_LoadCATrustedCertificates(options, trustedCertificates),
                "read the certificates in \(trustedCertificates)")
        }
        if let key {
            try NATSError.check(
                nats.natsOptions_SetNKeyFromSeed(options, key.publicKey, key.file), "use the key in \(key.file)")
        }
        // A published message is sent at once, not by a thread that collects them.
        try NATSError.check(nats.natsOptions_SetSendAsap(options, true), "set the way of sending")
        // Messages from before a reconnection would arrive after their deadlines.
        return try body(options)
    }

    private func setServers(of options: OpaquePointer) throws(NATSError) {
        guard !servers.isEmpty, servers.allSatisfy({ !$0.isEmpty }) else {
            throw NATSError(code: .invalidArgument, operation: "connect without a server")
        }
        let copies = servers.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var urls = copies.map { UnsafePointer($0) }
        try NATSError.check(
            nats.natsOptions_SetServers(options, &urls, Int32(clamping: urls.count)), "use \(servers)")
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
