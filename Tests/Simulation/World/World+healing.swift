import Majordomo

/// The end of a schedule: nothing more goes wrong, and the bus must come to rest and serve again.
extension World {
    /// Longer than whatever a machine waits for: a plain peer's silence and a plain request's deadline.
    private var patience: Duration {
        let timing = scenario.timing
        return max(timing.plainHeartbeatInterval * 4, timing.plainDeadline) + .seconds(5)
    }

    func heal() {
        vandal?.leave()
        for connection in connections { connection.fullFor = 0 }
        waitForRest(until: now + patience)
    }

    private func waitForRest(until end: Duration) {
        guard let (rule, why) = unrest else { return law == .zeromq ? askAgain() : finish() }
        guard now < end else { return referee.object(rule, why) }
        plan(in: .milliseconds(50)) { [self] in waitForRest(until: end) }
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
        let peers: [Peer] = clients + workers.filter(\.comesBack) + plainWorkers
        if let absent = peers.first(where: { !isConnected($0) }) {
            return (.notHealed, "\(absent.name) is not connected")
        }
        if let busy = workers.first(where: { $0.isUp && $0.running > 0 }) {
            return (.notHealed, "\(busy.name) is busy")
        }
        if let busy = referee.registered.first(where: { !$0.outstanding.isEmpty }) {
            return (.notHealed, "\(busy.instance) has a request that nobody waits for")
        }
        if let stale = referee.registered.first(where: { !isConnected($0.connection.owner, over: $0.connection) }) {
            return (.deadKept, "\(stale.instance) is still registered")
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

    private func isConnected(_ peer: Peer, over connection: Connection? = nil) -> Bool {
        guard peer.isUp, !peer.isPaused, let own = peer.connection, connection == nil || connection === own else {
            return false
        }
        return own.isOpen && own.troubledUntil <= now
    }

    private func askAgain() {
        for client in clients {
            client.ask(
                Scenario.Ask(
                    time: now, client: 0, service: "echo", isIdempotent: false, within: .seconds(4),
                    work: .milliseconds(5), cancelledAfter: nil))
        }
        waitForAnswers(until: now + .seconds(4))
    }

    private func waitForAnswers(until end: Duration) {
        let answers = clients.map(\.lastCall)
        if answers.allSatisfy({ $0?.isAnswered == true }) { return finish() }
        guard now < end else { return referee.object(.notHealed, "the last calls have no FINAL") }
        plan(in: .milliseconds(20)) { [self] in waitForAnswers(until: end) }
    }

    private func finish() {
        let report = broker.machine.report(at: broker.clock)
        if report.records > 0 { referee.object(.ledgerNotEmpty, "it holds \(report.records) records") }
        if let idle = report.services.first(where: { $0.workers == 0 && $0.queued == 0 }) {
            referee.object(.serviceKept, idle.name)
        }
        referee.close()
        end()
    }
}
