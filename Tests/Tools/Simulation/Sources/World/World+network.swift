import Majordomo
import MessageBus

extension World {
    // MARK: Connections

    func connect(_ owner: Peer) -> Connection {
        let connection = Connection(number: connections.count, owner: owner)
        add(connection)
        plan(in: dice.microseconds(100...5000)) { [self] in completeHandshake(connection) }
        return connection
    }

    /// The connection of a ROUTER address; the machine knows only reported addresses.
    func connection(of peer: PeerID) -> Connection { connections[Connection.number(of: peer)] }

    private func completeHandshake(_ connection: Connection) {
        guard !connection.isClosed else { return }
        // A broker that does not run, or is suspended, completes no handshake: the socket retries.
        guard broker.isUp else {
            let wait = max(broker.restartsAt - now, .zero) + dice.milliseconds(1...60)
            return plan(in: wait) { [self] in completeHandshake(connection) }
        }
        guard !broker.isPaused else { return plan(in: broker.awakening) { [self] in completeHandshake(connection) } }
        connection.run = broker.run
        connection.isRoutable = true
        broker.accepted(connection)
        connection.openedAt = now
        connection.troubledUntil = now
        report(connection, .connected)
    }

    /// Reports changes of a connection to its owner, in order, unless the owner has closed it.
    private func report(_ connection: Connection, _ news: Connection.News) {
        connection.news.append(news)
        let owner = connection.owner
        owner.whenAwake(connection.life) {
            let news = connection.news.removeFirst()
            guard owner.connection === connection else { return }
            switch news {
            case .connected: owner.connected()
            case .lost: owner.lost()
            }
        }
    }

    /// An orderly end of the peer's socket: its sent messages still arrive, messages to it do not.
    func close(_ connection: Connection) {
        guard !connection.isClosed else { return }
        connection.isClosed = true
        connection.troubledUntil = Peer.forever
        let delay = max(connection.up.lastDue - now, .zero) + dice.milliseconds(0...20)
        plan(in: delay) { [self] in disappear(connection) }
        // Its end may be reported before its last messages are read.
        if monitorDice.hits(oneIn: 4) {
            plan(in: delay / monitorDice.number(1...4)) { [self] in broker.ended(connection) }
        }
    }

    /// The broker's socket has noticed the end of a connection.
    private func disappear(_ connection: Connection) {
        connection.isRoutable = false
        broker.ended(connection)
    }

    /// The peer's process has ended: its last messages may be lost.
    func cut(_ connection: Connection) {
        loseSuffix(&connection.up)
        close(connection)
    }

    /// The connection breaks; each end detects it after a delay of its own.
    func sever(_ connection: Connection, brokerLearnsIn: Duration, peerLearnsIn: Duration) {
        guard connection.isOpen else { return }
        connection.isBroken = true
        connection.troubledUntil = Peer.forever
        loseSuffix(&connection.up)
        loseSuffix(&connection.down)
        tally.breaks += 1
        log?.record("network.broke", by: connection.owner.name, at: now)
        plan(in: brokerLearnsIn) { [self] in disappear(connection) }
        plan(in: peerLearnsIn) { [self] in report(connection, .lost) }
    }

    /// The broker's process has ended, and its unread messages are lost.
    func brokerEnded() {
        for connection in connections where connection.run == broker.run {
            connection.up.messages = []
            sever(connection, brokerLearnsIn: .zero, peerLearnsIn: dice.milliseconds(0...50))
        }
    }

    private func loseSuffix(_ lane: inout Connection.Lane) {
        lane.messages.removeLast(dice.number(0...lane.messages.count))
    }

    // MARK: Messages

    func send(_ frames: [Frame], over connection: Connection) {
        referee.peerSends(frames, over: connection)
        guard connection.isOpen else { return }
        for _ in 0..<copies(of: frames) { plan(.arrivesAtBroker(connection), at: put(frames, in: &connection.up)) }
    }

    /// What the broker's ROUTER does with a message: false when it knows no such peer, or the peer's pipe is full.
    func deliver(_ frames: [Frame], to connection: Connection) -> Bool {
        guard connection.isRoutable, connection.run == broker.run else { return false }
        if connection.fullFor > 0 {
            connection.fullFor -= 1
            connection.troubledUntil = max(connection.troubledUntil, now)
            connection.lastDropAt = now
            return false
        }
        guard connection.isOpen else { return true }
        for _ in 0..<copies(of: frames) { plan(.arrivesAtPeer(connection), at: put(frames, in: &connection.down)) }
        return true
    }

    /// The number of copies of a message that arrive.
    private func copies(of frames: [Frame]) -> Int {
        guard law == .lawless else { return 1 }
        switch dice.number(below: 20) {
        case 0: return 0
        // Two copies of a plain client's request cannot be distinguished.
        case 1: return frames.count > 3 && frames.last?.count == 5 && ControlFrame.read(frames[3]) == .plain ? 1 : 2
        default: return 1
        }
    }

    private func put(_ frames: [Frame], in lane: inout Connection.Lane) -> Duration {
        lane.messages.append(frames)
        let delay = dice.hits(oneIn: 16) ? dice.milliseconds(1...30) : dice.microseconds(30...900)
        guard law == .zeromq else { return now + (dice.hits(oneIn: 8) ? dice.milliseconds(0...400) : delay) }
        lane.lastDue = max(now + delay, lane.lastDue + .microseconds(1))
        return lane.lastDue
    }

    /// The next message; nil when a break has lost it.
    private func take(from lane: inout Connection.Lane) -> [Frame]? {
        guard !lane.messages.isEmpty else { return nil }
        return lane.messages.remove(at: law == .zeromq ? 0 : dice.number(below: lane.messages.count))
    }

    func arriveAtBroker(_ connection: Connection) {
        guard broker.isUp, connection.run == broker.run else { return }
        guard !broker.isPaused else {
            connection.up.unread += 1
            return plan(in: broker.awakening) { [self] in
                connection.up.unread -= 1
                arriveAtBroker(connection)
            }
        }
        if let frames = take(from: &connection.up) { broker.receive(frames, over: connection) }
    }

    func arriveAtPeer(_ connection: Connection) {
        let owner = connection.owner
        guard !connection.isClosed, owner.isUp, owner.life == connection.life else { return }
        guard !owner.isPaused else { return plan(.arrivesAtPeer(connection), at: now + owner.awakening) }
        guard let frames = take(from: &connection.down) else { return }
        connection.hasBeenHeard = true
        owner.received(frames)
    }
}
