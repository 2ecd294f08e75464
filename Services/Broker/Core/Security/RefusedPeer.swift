import Contracts
import Envelope
import ZeroMQ

/// A peer that connected to a network endpoint and was not admitted.
struct RefusedPeer: Sendable, Hashable {
    /// IP address; nil when the peer disconnected before it could be read.
    let address: String?
    /// Nil when the handshake ended before the peer sent one.
    let key: CurvePublicKey?
    /// "key_not_listed", or the cause of a handshake's failure.
    let reason: String

    init(_ request: ZAPRequest) {
        address = request.address
        key = request.key
        reason = "key_not_listed"
    }

    init(_ failure: HandshakeFailure) {
        address = failure.address
        key = nil
        reason = failure.cause.rawValue
    }

    /// Such a peer may be a legitimate one that ended.
    var hasBrokenOff: Bool { reason == HandshakeFailure.Cause.brokenOff.rawValue }

    func event(at microseconds: Int64, source: String) -> Event {
        var attributes: [String: AttributeValue] = ["address": .text(address ?? "unknown"), "reason": .text(reason)]
        if let key { attributes["key"] = .text(key.description) }
        return Event(at: microseconds, kind: EventKind.peerRefused, source: source, attributes: attributes)
    }
}
