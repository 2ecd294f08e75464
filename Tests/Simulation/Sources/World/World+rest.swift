import Majordomo

/// When all is quiet.
extension World {
    /// What is not yet as it must be, and the rule that this breaks if it stays so.
    var unrest: (rule: Rule, why: String)? {
        if let call = referee.openCall { return (.noEnding, "\(call) is open") }
        guard broker.isUp, !broker.isPaused else { return (.notHealed, "the broker is away") }
        let records = broker.machine.report(at: broker.clock).records
        if records > 0 { return (.ledgerNotEmpty, "it holds \(records) records") }
        // Where messages are lost and double, nobody can be sure of anything else.
        guard law == .zeromq else { return nil }
        return absence.map { (.notHealed, $0) } ?? remains
    }

    /// Who is not where it belongs.
    private var absence: String? {
        if let worker = workers.first(where: { !isServing($0) }) {
            return "\(worker.name) is not registered with its own options"
        }
        if let worker = plainWorkers.first(where: { $0.connection?.registration?.isLive != true }) {
            return "\(worker.name) is not registered"
        }
        if let worker = plainWorkers.first(where: \.isLosingPatience) {
            return "\(worker.name) is about to register anew"
        }
        if let client = clients.first(where: { !$0.isConnected }) {
            return "\(client.name) does not know that it is connected"
        }
        // Who is shut out of an exclusive service ends and starts again; somebody serves, as was seen above.
        let serving = workers.filter { $0.comesBack && (!$0.kind.isExclusive || isRegistered($0)) }
        let peers: [Peer] = clients + serving + plainWorkers
        return peers.first { !isConnected($0) }.map { "\($0.name) is not connected" }
    }

    /// What is left of those who are gone.
    private var remains: (Rule, String)? {
        if let late = connections.first(where: { $0.isClosed && $0.run == broker.run && !$0.up.messages.isEmpty }) {
            return (.notHealed, "\(late.owner.name) has left and is still heard")
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
        return referee.registered.first { !isSettled($0) }.map { (.notHealed, "\($0.instance) comes and goes") }
    }

    /// Registered as it wants to be, or shut out by another worker of its exclusive service.
    private func isServing(_ worker: WorkerPeer) -> Bool {
        guard worker.comesBack else { return !worker.isUp }
        guard worker.kind.isExclusive else { return isRegistered(worker) }
        return workers.contains { $0.kind.service == worker.kind.service && isRegistered($0) }
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
}
