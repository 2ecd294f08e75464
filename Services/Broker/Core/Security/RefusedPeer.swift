import Contracts
import Envelope
import ZeroMQ

/// Somebody who came to a door on the network and was not let in.
struct RefusedPeer: Sendable, Hashable {
    /// IP address; nil when the peer had left before it could be read.
    let address: String?
    /// Nil when the peer did not come as far as to show one.
    let key: CurvePublicKey?
    /// In one word: "key_not_listed", or the cause of a handshake's failure.
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

    /// It may have been a good peer that ended.
    var hasBrokenOff: Bool { reason == HandshakeFailure.Cause.brokenOff.rawValue }

    func event(at microseconds: Int64, source: String) -> Event {
        var attributes: [String: AttributeValue] = ["address": .text(address ?? "unknown"), "reason": .text(reason)]
        if let key { attributes["key"] = .text(key.description) }
        return Event(at: microseconds, kind: EventKind.peerRefused, source: source, attributes: attributes)
    }
}
