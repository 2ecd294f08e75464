import BrokerMachine
import Envelope
import Majordomo
import MessageBus
import ProcessKit
import ZeroMQ

/// A message that waits to be sent.
struct QueuedMessage {
    let peer: PeerID
    let content: PeerMessage
    /// When the machine decided to send it.
    let at: Duration
}

/// How the broker handles the beginning and the end of connections.
extension Broker {
    /// Iterations after which a disconnection is applied although the socket is never empty.
    private static let maxIterationsBeforeEnd = 32

    func watchConnections(ofSocket number: Int) async throws {
        let monitor = monitors[number]
        repeat {
            try readConnections(ofSocket: number)
            try readLastRequests()
            removeLostPeers()
            if !messagesOfNewPeers.isEmpty { try introduceNewPeers() }
            settle()
            await reportFailures()
        } while await monitor.waitUntilReadable()
    }

    /// Reads what lost peers have sent before their end.
    private func readLastRequests() throws {
        guard connections.table.hasLostPeers else { return }
        for _ in 0..<Self.maxIterationsBeforeEnd where try readRequests() { break }
    }

    /// Removes the peers that a message did not reach.
    ///
    /// libzmq reports the end of a connection before a send to its peer fails: a worker whose connection has ended has
    /// crashed, and the crash counts before its requests are redelivered.
    func removeUnreachable(_ lost: [QueuedMessage]) {
        // An error means that the broker ends, and then its loops end with it.
        try? readConnections(ofSocket: PeerConnections.SocketNumber.requests)
        try? readLastRequests()
        let ended = connections.takeLostPeers()
        for peer in ended {
            let time = lost.first { $0.peer == peer }?.at
            update { $0.disconnected(peer, undeliveredSince: time, at: $1, &$2) }
        }
        for message in lost { update { $0.undeliverable(to: message.peer, queuedAt: message.at, at: $1, &$2) } }
        if !messagesOfNewPeers.isEmpty { try? introduceNewPeers() }
    }

    private func readConnections(ofSocket number: Int) throws {
        let events = try monitors[number].assumeIsolated { try $0.receiveReady() }
        failures += connections.read(events, ofSocket: number, at: now)
    }

    /// To be called when all received messages have been read.
    func removeLostPeers() {
        guard connections.table.hasLostPeers else { return }
        for peer in connections.takeLostPeers() { update { $0.disconnected(peer, at: $1, &$2) } }
    }

    /// Counts a message for its connection.
    ///
    /// - Returns: false when its peer has not been introduced.
    func recordDelivery(of message: AddressedMessage) -> Bool {
        // Peers within the process have no connection.
        message.origin.descriptor < 0 || connections.recordDelivery(of: message)
    }

    /// Counts a message of a socket that does not identify its peers; of a new connection, the monitor's events are
    /// read first.
    func recordDelivery(of frames: [Frame], from origin: MessageOrigin, ofSocket number: Int) throws {
        if origin.descriptor >= 0, !connections.isKnown(origin, ofSocket: number) {
            try readConnections(ofSocket: number)
            // Sets the alarm for the check of the connection.
            settle()
        }
        connections.recordDelivery(of: frames, from: origin, ofSocket: number)
    }

    /// Binds new peers to the latest connections of their descriptors, and therefore reads the monitor's events first.
    /// Peers that have disconnected are removed first: a worker that restarts after a crash must not meet its
    /// predecessor.
    func introduceNewPeers() throws {
        try readConnections(ofSocket: PeerConnections.SocketNumber.requests)
        try readLastRequests()
        removeLostPeers()
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
