import BrokerMachine
import Majordomo

/// Reads the socket's connection events as the broker's service does: late, or before a connection's last messages.
extension BrokerProcess {
    func accepted(_ connection: Connection) {
        stream.accept(connection)
        planReading()
    }

    func ended(_ connection: Connection) {
        guard isUp, connection.run == run, world.areEndsReported else { return }
        stream.end(connection, isReportedTwice: world.monitorDice.hits(oneIn: 6))
        planReading()
    }

    /// A message has arrived: its connection identifies the sender.
    func heard(over connection: Connection) {
        guard let place = connection.place, !table.delivered(by: connection.peer, over: place) else { return }
        readStream()
        table.introduce(connection.peer, over: place)
        planLosses()
    }

    private func planReading() {
        let isLate = world.monitorDice.hits(oneIn: 10)
        let delay = isLate ? world.monitorDice.milliseconds(1...800) : world.monitorDice.microseconds(0...1500)
        plan(in: delay) { [self] in
            readStream()
            takeLosses()
        }
    }

    private func planLosses() {
        if table.hasLostPeers { plan(in: .milliseconds(1)) { [self] in takeLosses() } }
    }

    /// Runs `work` later in this run, and not while the process is suspended.
    private func plan(in delay: Duration, _ work: @escaping () -> Void) {
        let run = run
        world.plan(in: delay) { [self] in
            guard isUp, run == self.run else { return }
            guard isPaused else { return work() }
            plan(in: pausedUntil - world.now + world.monitorDice.microseconds(0...2000), work)
        }
    }

    private func readStream() {
        for event in stream.takeAll() {
            switch event {
            case .accepted(let connection):
                guard let place = connection.place else { continue }
                table.accepted(at: place, owner: connection.owner.name, at: clock)
            case .ended(let connection):
                guard let place = connection.place else { continue }
                table.ended(at: place)
                endsRead.append((connection, world.now))
            }
        }
    }

    /// Messages that have arrived are read first, with rare exceptions.
    private func takeLosses() {
        guard !world.hasUnread || world.monitorDice.hits(oneIn: 6) else {
            return plan(in: .milliseconds(1)) { [self] in takeLosses() }
        }
        for peer in table.takeLostPeers() {
            let connection = world.connection(of: peer)
            world.referee.brokerLoses(connection)
            apply { machine.disconnected(peer, at: clock, &$0) }
            world.referee.brokerHasLost(connection)
            world.referee.brokerHasSettled()
        }
        for (connection, time) in endsRead { world.referee.brokerHasRead(endOf: connection, at: time) }
        endsRead = []
        planTick()
    }
}
