import Majordomo

/// The end of a schedule: nothing more goes wrong, and the bus must come to rest and serve again.
extension World {
    /// Longer than whatever anybody waits for: a plain peer in its silence, or with its three tries.
    private var patience: Duration {
        let timing = scenario.timing
        return max(timing.plainHeartbeatInterval * 4, timing.plainDeadline) + .seconds(10)
    }

    func heal() {
        vandal?.leave()
        for connection in connections { connection.fullFor = 0 }
        let end = now + patience
        waitForRest(until: end) { [self] in
            if law == .zeromq { askAgain { [self] in waitForRest(until: end) { [self] in finish() } } } else { finish() }
        }
    }

    private func waitForRest(until end: Duration, then go: @escaping () -> Void) {
        guard let (rule, why) = unrest else { return go() }
        guard now < end else { return referee.object(rule, why) }
        plan(in: .milliseconds(50)) { [self] in waitForRest(until: end, then: go) }
    }

    /// What is not yet as it must be.
    private var unrest: (Rule, String)? {
        if let call = referee.openCall { return (.noEnding, "\(call) is open") }
        guard broker.isUp, !broker.isPaused else { return (.notHealed, "the broker is away") }
        let records = broker.machine.report(at: broker.clock).records
        if records > 0 { return (.ledgerNotEmpty, "it holds \(records) records") }
        guard law == .zeromq else { return nil }
        if let absent = workers.first(where: { !isServing($0) }) {
            return (.notHealed, "\(absent.name) is not registered with its own options")
        }
        if let absent = plainWorkers.first(where: { $0.connection?.registration?.isLive != true }) {
            return (.notHealed, "\(absent.name) is not registered")
        }
        if let absent = clients.first(where: { !$0.isConnected }) {
            return (.notHealed, "\(absent.name) does not know that it is connected")
        }
        let peers: [Peer] = clients + workers.filter(\.comesBack) + plainWorkers
        if let absent = peers.first(where: { !isConnected($0) }) {
            return (.notHealed, "\(absent.name) is not connected")
        }
        if let late = connections.first(where: { $0.isClosed && $0.run == broker.run && !$0.up.messages.isEmpty }) {
            return (.notHealed, "\(late.owner.name) has left and is still heard")
        }
        if let busy = workers.first(where: { $0.isUp && $0.running > 0 }) { return (.notHealed, "\(busy.name) is busy") }
        if let busy = referee.registered.first(where: { !$0.outstanding.isEmpty }) {
            return (.notHealed, "\(busy.instance) has a request that nobody waits for")
        }
        if let stale = referee.registered.first(where: { !isConnected($0.connection.owner, over: $0.connection) }) {
            return (.deadKept, "\(stale.instance) is still registered")
        }
        if let new = referee.registered.first(where: { !isSettled($0) }) {
            return (.notHealed, "\(new.instance) comes and goes")
        }
        return nil
    }

    /// Registered as it wants to be, or shut out by another worker of its exclusive service.
    private func isServing(_ worker: WorkerPeer) -> Bool {
        guard worker.comesBack else { return !worker.isUp }
        if worker.kind.isExclusive {
            return workers.contains { $0.kind.service == worker.kind.service && isRegistered($0) }
        }
        return isRegistered(worker)
    }

    private func isRegistered(_ worker: WorkerPeer) -> Bool {
        guard let registration = worker.connection?.registration else { return false }
        return registration.isLive && !registration.isDraining
            && (registration.capacity == worker.kind.capacity || worker.troubledTrials >= 2)
    }

    /// Neither new nor about to be dropped.
    private func isSettled(_ registration: Registration) -> Bool {
        registration.joinedAt + .milliseconds(100) <= now
            && registration.lastHeard + registration.interval + .milliseconds(100) > now
    }

    private func isConnected(_ peer: Peer, over connection: Connection? = nil) -> Bool {
        guard peer.isUp, !peer.isPaused, let own = peer.connection, connection == nil || connection === own else {
            return false
        }
        return own.isOpen && own.troubledUntil <= now
    }

    /// One call of every client, which must be answered.
    private func askAgain(then go: @escaping () -> Void) {
        for client in clients {
            client.ask(
                Scenario.Ask(
                    time: now, client: 0, service: "echo", isIdempotent: false, within: .seconds(4),
                    work: .milliseconds(5), cancelledAfter: nil))
        }
        waitForAnswers(until: now + .seconds(4), then: go)
    }

    private func waitForAnswers(until end: Duration, then go: @escaping () -> Void) {
        if clients.allSatisfy({ $0.lastCall?.isAnswered == true }) { return go() }
        guard now < end else { return referee.object(.notHealed, "the last calls have no FINAL") }
        plan(in: .milliseconds(20)) { [self] in waitForAnswers(until: end, then: go) }
    }

    private func finish() {
        let services = broker.machine.report(at: broker.clock).services
        if let idle = services.first(where: { $0.workers == 0 && $0.queued == 0 }) {
            referee.object(.serviceKept, idle.name)
        }
        referee.close()
        end()
    }
}
