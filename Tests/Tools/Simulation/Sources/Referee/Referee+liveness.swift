import Majordomo
import MessageBus

/// Which peers were healthy, and for how long.
extension Referee {
    private static let enough = Duration.seconds(2)

    /// Checks that a call without an answer had no healthy worker free for two seconds.
    func judgeStarvation(of call: Call, _ refusal: Refusal?, over connection: Connection?) {
        let start = now - Self.enough
        // A shorter time, or a reason of its own, which is judged where the broker states it.
        guard isLawful, refusal != .workerLost, !call.isPoison, call.askedAt <= start,
            call.client.troubledUntil <= start,
            broker.isUp, broker.troubledUntil <= start, let connection, connection.isOpen,
            connection.lastDropAt < call.askedAt, max(connection.openedAt, connection.troubledUntil) <= start
        else { return }
        // A plain client repeats nothing when its socket reconnects, and gets no refusal.
        let message = call.messages.last
        guard !call.isPlain || message?.connection === connection && message?.admission?.isLive == true else { return }
        if call.service.starts(with: Self.management) { return object(.starved, "\(call)") }
        // While an unhealthy worker has it, it may wait for the end of that worker.
        let holders = admissions.lazy.filter { $0.call === call }.flatMap(\.dispatches)
            .filter { $0.lostAt.map { $0 > start } ?? true }
        guard call.work <= .milliseconds(400),
            holders.allSatisfy({ isHealthy($0.registration, since: start) })
        else { return }
        let isFree = registered.contains { registration in
            registration.service == call.service && isHealthy(registration, since: start) && !registration.isFull
                && registration.lastFullAt <= start
        }
        world.tally.judged += 1
        if isFree { object(.starved, "\(call)") }
    }

    /// Whether it is registered, without a fault at the worker, the broker or the connection.
    func isHealthy(_ registration: Registration, since time: Duration) -> Bool {
        registration.isLive && !registration.isDraining && registration.joinedAt <= time
            && max(
                registration.connection.troubledUntil, registration.connection.owner.troubledUntil,
                broker.troubledUntil) <= time
    }
}
