import Envelope
import Majordomo
import ProcessKit
import ZeroMQ

/// What the broker does about the beginning and the end of connections.
extension Broker {
    /// Turns after which an end counts although a socket is never empty.
    private static let maxTurnsBeforeEnd = 32

    func watchConnections(ofSocket number: Int) async throws {
        let monitor = monitors[number]
        repeat {
            try readConnections(ofSocket: number)
            try readLastRequests()
            if !newcomers.isEmpty { try admitNewcomers() }
            settle()
            await reportFailures()
        } while await monitor.waitUntilReadable()
    }

    /// Reads what lost peers have sent before their end, and then gives them up.
    private func readLastRequests() throws {
        guard connections.table.hasLostPeers else { return }
        for _ in 0..<Self.maxTurnsBeforeEnd where try readRequests() { break }
        removeLostPeers()
    }

    private func readConnections(ofSocket number: Int) throws {
        let events = try monitors[number].assumeIsolated { try $0.receiveReady() }
        failures += connections.read(events, ofSocket: number, at: now)
    }

    /// To be called when everything that has come is read.
    func removeLostPeers() {
        guard connections.table.hasLostPeers else { return }
        let now = now
        for peer in connections.takeLostPeers() { apply(machine.disconnected(peer, at: now), at: now) }
    }

    /// Counts a message for its connection; false when its peer has not been introduced.
    func isKnown(_ message: AddressedMessage) -> Bool {
        // Within the process there are no connections.
        message.origin.descriptor < 0 || connections.delivered(message)
    }

    /// Binds new peers to the latest connections of their descriptors, so what the monitor knows is read before. Who has left
    /// until then leaves first: a worker that comes back after a crash must not find its predecessor.
    func admitNewcomers() throws {
        try readConnections(ofSocket: PeerConnections.SocketNumber.requests)
        try readLastRequests()
        let messages = newcomers
        newcomers = []
        for message in messages {
            connections.introduce(message)
            apply(message)
        }
    }

    /// Keys that are no longer listed: who holds them has to go.
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
