internal import CZeroMQ

/// A peer that connected to a CURVE server and did not complete the handshake, so its key is unknown.
public struct HandshakeFailure: Sendable, Equatable {
    public enum Cause: String, Sendable {
        /// The peer uses ZeroMQ without CURVE.
        case clearText = "clear_text"
        /// The peer has another server key than ours.
        case wrongServerKey = "wrong_server_key"
        /// The peer does not use ZeroMQ, or a version from before 2013.
        case otherProtocol = "other_protocol"
        /// The peer disconnected or sent nothing more. Usually a peer without CURVE, which reads our greeting first.
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

    /// The peer's IP address, without a port; nil when the peer disconnected before it could be read.
    public let address: String?
    public let cause: Cause
}
