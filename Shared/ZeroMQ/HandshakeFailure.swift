internal import CZeroMQ

/// A peer that reached a CURVE server and did not complete the handshake, so that no key of it is known.
public struct HandshakeFailure: Sendable, Equatable {
    public enum Cause: String, Sendable {
        /// It speaks ZeroMQ without CURVE.
        case clearText = "clear_text"
        /// It knows another server key than ours.
        case wrongServerKey = "wrong_server_key"
        /// It speaks no ZeroMQ, or one of before 2013.
        case otherProtocol = "other_protocol"
        /// It left or fell silent. Most often a peer without CURVE, which sees our greeting before we see its own.
        case brokenOff = "broken_off"

        /// - Parameter protocolError: the value of a failure's event (source: zmq.h).
        init(protocolError: Int32) {
            switch protocolError {
            case ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH: self = .clearText
            case ZMQ_PROTOCOL_ERROR_ZMTP_CRYPTOGRAPHIC: self = .wrongServerKey
            default: self = .otherProtocol
            }
        }
    }

    /// The peer's IP address, without a port; nil when it had left again before that could be read.
    public let address: String?
    public let cause: Cause
}
