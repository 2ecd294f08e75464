import Envelope
import Majordomo
import ProcessKit
import ZeroMQ

/// How the broker handles the beginning and the end of connections.
extension Broker {
    /// Iterations after which a disconnection is applied although the socket is never empty.
    private static let maxIterationsBeforeEnd = 32

    func watchConnections(ofSocket number: Int) async throws {
        let monitor = monitors[number]
        repeat {
            try readConnections(ofSocket: number)
            try readLastRequests()
            if !messagesOfNewPeers.isEmpty { try introduceNewPeers() }
            settle()
            await reportFailures()
        } while await monitor.waitUntilReadable()
    }

    /// Reads what lost peers have sent before their end, and then removes them.
    private func readLastRequests() throws {
        guard connections.table.hasLostPeers else { return }
        for _ in 0..<Self.maxIterationsBeforeEnd where try readRequests() { break }
        removeLostPeers()
    }

    private func readConnections(ofSocket number: Int) throws {
        let events = try monitors[number].assumeIsolated { try $0.receiveReady() }
        failures += connections.read(events, ofSocket: number, at: now)
    }

    /// To be called when all received messages have been read.
    func removeLostPeers() {
        guard connections.table.hasLostPeers else { return }
        let now = now
        for peer in connections.takeLostPeers() { apply(machine.disconnected(peer, at: now), at: now) }
    }

    /// Counts a message for its connection.
    ///
    /// - Returns: false when its peer has not been introduced.
    func recordDelivery(of message: AddressedMessage) -> Bool {
        // Peers within the process have no connection.
        message.origin.descriptor < 0 || connections.recordDelivery(of: message)
    }

    /// Binds new peers to the latest connections of their descriptors, and therefore reads the monitor's events first.
    /// Peers that have disconnected are removed first: a worker that restarts after a crash must not meet its
    /// predecessor.
    func introduceNewPeers() throws {
        try readConnections(ofSocket: PeerConnections.SocketNumber.requests)
        try readLastRequests()
        let messages = messagesOfNewPeers
        messagesOfNewPeers = []
        for message in messages {
            connections.introduce(message)
            apply(message)
        }
    }

    /// Ends the connections of keys that are no longer listed.
    func endConnections(ofKeys keys: [CurvePublicKey]) {
        connections.endConnections(ofKeys: keys)
        settle()
    }

    func reportEnds() {
        guard connections.hasReport else { return }
        for (end, count) in connections.takeReport(at: now) {
            let event = end.event(count: count, at: clock.microseconds, source: Self.instance)
            eventPublisher.append(.published(event.json()), at: now)
        }
    }
}
