import Envelope
import Majordomo
import ServiceKit
import ZeroMQ

/// What the broker does about the beginning and the end of connections.
extension Broker {
    /// Turns after which an end counts although a socket is never empty.
    private static let maxTurnsBeforeEnd = 32

    func watchConnections(ofSocket number: Int) async throws {
        let monitor = monitors[number]
        repeat {
            try readConnections(ofSocket: number)
            if connections.table.hasLostPeers {
                // What a peer has sent before its end counts.
                for _ in 0..<Self.maxTurnsBeforeEnd where try !readRequests() {}
                removeLostPeers()
            }
            settle()
            await reportFailures()
        } while await monitor.waitUntilReadable()
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

    /// Counts a message for its connection. A peer that is not known yet is bound to the latest connection of its descriptor,
    /// so what the monitor knows is read before.
    func note(_ message: AddressedMessage) throws {
        // Within the process there are no connections.
        guard message.origin.descriptor >= 0, !connections.delivered(message, ofSocket: 0) else { return }
        try readConnections(ofSocket: 0)
        connections.introduce(message, ofSocket: 0)
    }

    /// Keys that are no longer listed: who holds them has to go.
    func endConnections(ofKeys keys: [CurvePublicKey]) {
        connections.endConnections(ofKeys: keys)
        settle()
    }

    func reportEnds() {
        for (end, count) in connections.takeReport(at: now) {
            let event = end.event(count: count, at: clock.microseconds, source: Self.instance)
            outlet.append(.published(event.json()), at: now)
        }
    }
}
