internal import CZeroMQ

/// The role of a socket in the CURVE handshake of the endpoints that it binds or connects.
public enum CurveRole: Sendable {
    /// Sends a `ZAPRequest` for each peer to the context's authenticator; without an authenticator, no peer is
    /// admitted.
    case server(CurveKeyPair)
    /// Connects only to the owner of the server's key.
    case client(CurveKeyPair, server: CurvePublicKey)

    /// The ZAP domain of servers. With an empty domain, libzmq sends no request and admits every peer.
    static let domain = "curve"

    var isServer: Bool {
        if case .server = self { true } else { false }
    }

    func apply(to socket: UnsafeMutableRawPointer) throws(ZeroMQError) {
        switch self {
        case .server(let own):
            try setOption(ZMQ_ZAP_DOMAIN, Array(Self.domain.utf8), on: socket)
            // Without this option, a missing authenticator would admit every peer.
            try setOption(czmq_zap_enforce_domain, Int32(1), on: socket)
            try setOption(ZMQ_CURVE_SERVER, Int32(1), on: socket)
            try setOption(ZMQ_CURVE_SECRETKEY, own.secretKey.bytes, on: socket)
        case .client(let own, let server):
            try setOption(ZMQ_CURVE_SERVERKEY, server.bytes, on: socket)
            try setOption(ZMQ_CURVE_PUBLICKEY, own.publicKey.bytes, on: socket)
            try setOption(ZMQ_CURVE_SECRETKEY, own.secretKey.bytes, on: socket)
        }
    }
}
