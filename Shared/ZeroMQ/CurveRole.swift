internal import CZeroMQ

/// The side that a socket takes in the CURVE handshake of the endpoints it binds or connects.
public enum CurveRole: Sendable {
    /// Asks the context's authenticator (`ZAPRequest`) about each peer; without one, nobody comes in.
    case server(CurveKeyPair)
    /// Connects to nobody but the owner of the server's key.
    case client(CurveKeyPair, server: CurvePublicKey)

    /// The name under which servers ask. libzmq asks nobody and lets everybody in where the domain is empty.
    static let domain = "curve"

    var isServer: Bool {
        if case .server = self { true } else { false }
    }

    func apply(to socket: UnsafeMutableRawPointer) throws(ZeroMQError) {
        switch self {
        case .server(let own):
            try setOption(ZMQ_ZAP_DOMAIN, Array(Self.domain.utf8), on: socket)
            // Without this, a missing authenticator would let everybody in.
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
