/// Finds the failed CURVE handshakes in the connection events of a bound socket.
///
/// libzmq identifies the connection when it is accepted and when it ends, but not when its handshake succeeds or fails.
/// The machine relies on this order: a failed handshake is followed immediately by the end of its connection.
struct HandshakeStateMachine {
    enum Event: Equatable {
        /// - Parameter address: nil when the peer disconnected before its address could be read.
        case accepted(connection: Int32, address: String?)
        /// A handshake succeeded, or the authenticator refused a peer: not a failed handshake.
        case settled
        case failed(HandshakeFailure.Cause)
        case ended(connection: Int32)
    }

    private struct Connection {
        let address: String?
        let settledBefore: Int
    }

    private var connections: [Int32: Connection] = [:]
    private var settled = 0
    private var cause: HandshakeFailure.Cause?

    mutating func received(_ event: Event) -> HandshakeFailure? {
        switch event {
        case .accepted(let connection, let address):
            connections[connection] = Connection(address: address, settledBefore: settled)
        case .settled:
            settled += 1
        case .failed(let cause):
            self.cause = cause
        case .ended(let id):
            defer { cause = nil }
            guard let connection = connections.removeValue(forKey: id) else { return nil }
            if let cause { return HandshakeFailure(address: connection.address, cause: cause) }
            // libzmq reports no failure for other protocols. If no handshake was settled meanwhile, this one was not.
            guard connection.settledBefore == settled else { return nil }
            return HandshakeFailure(address: connection.address, cause: .otherProtocol)
        }
        return nil
    }
}
