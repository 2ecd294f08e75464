import BrokerMachine
import Majordomo

/// The checks of a bus at rest.
extension World {
    /// What still differs from the required state, and the rule that is broken if it stays so.
    var unrest: (rule: Rule, why: String)? {
        if let call = referee.openCall { return (.noEnding, "\(call) is open") }
        guard broker.isUp, !broker.isPaused else { return (.notHealed, "the broker is away") }
        let records = broker.machine.report(at: broker.clock).records
        if records > 0 { return (.ledgerNotEmpty, "it holds \(records) records") }
        // With lost and duplicated messages nothing else is certain.
        guard law == .zeromq else { return nil }
        if let rest = filler?.rest { return (.notFilled, rest) }
        return absence.map { (.notHealed, $0) } ?? remains
    }

    /// Peers that are not connected or registered as they must be.
    private var absence: String? {
        if let worker = workers.first(where: { !isServing($0) }) {
            return "\(worker.name) is not registered with its own options"
        }
        if let worker = plainWorkers.first(where: { $0.connection?.registration?.isLive != true }) {
            return "\(worker.name) is not registered"
        }
        if let worker = plainWorkers.first(where: \.isAboutToRegister) {
            return "\(worker.name) is about to register anew"
        }
        if let client = clients.first(where: { !$0.isConnected }) {
            return "\(client.name) does not know that it is connected"
        }
        // A worker that an exclusive service refuses ends and restarts; another one serves, as checked above.
        let serving = workers.filter { $0.comesBack && (!$0.kind.isExclusive || isRegistered($0)) }
        let peers: [Peer] = clients + serving + plainWorkers
        return peers.first { !isConnected($0) }.map { "\($0.name) is not connected" }
    }

    /// Records that are left of ended processes.
    private var remains: (Rule, String)? {
        if let late = connections.first(where: { $0.isClosed && $0.run == broker.run && !$0.up.messages.isEmpty }) {
            return (.notHealed, "\(late.owner.name) has left and is still heard")
        }
        if let busy = workers.first(where: { $0.isUp && $0.running > 0 }) {
            return (.notHealed, "\(busy.name) is busy")
        }
        if let busy = referee.registered.first(where: { !$0.outstanding.isEmpty }) {
            return (.notHealed, "\(busy.instance) has a request whose caller no longer waits")
        }
        if let stale = referee.registered.first(where: { !isConnected($0.connection.owner, over: $0.connection) }) {
            return (.deadKept, "\(stale.instance) is still registered")
        }
        return referee.registered.first { !isSettled($0) }.map { (.notHealed, "\($0.instance) comes and goes") }
    }

    /// Whether it is registered, or refused because of another worker of its exclusive service.
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

    /// Whether it is neither new nor about to be dropped.
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
