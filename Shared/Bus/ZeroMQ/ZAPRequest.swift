/// libzmq's request to authorise a peer that completed the CURVE handshake (ZAP, ZeroMQ RFC 27).
///
/// libzmq sends it over `endpoint`, once for each connection, and the peer waits for the reply. The authenticator binds
/// a ROUTER there before the socket binds its endpoints, reads strictly and always replies: only `200` admits the peer.
public struct ZAPRequest: Sendable, Equatable {
    /// The authenticator's endpoint in a context. libzmq aborts the process if the socket there is no REP or ROUTER.
    public static let endpoint = "inproc://zeromq.zap.01"
    static let version = Array("1.0".utf8)

    public let id: [UInt8]
    /// The peer's IP address, without a port.
    public let address: String
    public let key: CurvePublicKey

    /// - Parameter message: as received by a ROUTER: return address, delimiter, then the request.
    /// - Throws: `ZAPReply`, the refusal to send for an invalid request.
    public init(_ message: Message) throws(ZAPReply) {
        let frames = message.dropFirst(2)
        let id = frames.count > 1 ? frames[3] : []
        guard message.count > 1, message[1].isEmpty, frames.first == Self.version else {
            throw ZAPReply(id: id, status: .internalError, text: "not ZAP 1.0")
        }
        // version, id, domain, address, routing id, mechanism, credentials
        guard frames.count >= 7 else { throw ZAPReply(id: id, status: .internalError, text: "frames are missing") }
        guard message[4] == Array(CurveRole.domain.utf8) else {
            throw ZAPReply(id: id, status: .refused, text: "unknown domain")
        }
        guard message[7] == Array("CURVE".utf8) else { throw ZAPReply(id: id, status: .refused, text: "not CURVE") }
        guard message.count == 9, let key = CurvePublicKey(bytes: message[8]) else {
            throw ZAPReply(id: id, status: .internalError, text: "not one key of 32 bytes")
        }
        self.id = id
        self.key = key
        address = String(decoding: message[5].prefix(255), as: UTF8.self)
    }

    /// - Parameter userID: attached to each message of the peer.
    public func admitted(as userID: String) -> ZAPReply {
        ZAPReply(id: id, status: .admitted, text: "OK", userID: userID)
    }

    public func refused() -> ZAPReply { ZAPReply(id: id, status: .refused, text: "key not listed") }
}
