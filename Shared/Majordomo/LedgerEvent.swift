/// What happened in the broker, for the event stream and the counters.
public enum LedgerEvent: Sendable, Equatable {
    case workerJoined(service: String, instance: String, capacity: Int)
    case workerLeft(service: String, instance: String, reason: WorkerLeaveReason)
    case workerRefused(service: String, instance: String, reason: String)
    case queued(id: RequestID?, service: String)
    case dispatched(id: RequestID?, service: String, instance: String, attempt: Int, queued: Duration)
    /// The worker was lost and the request waits for another.
    case redelivered(id: RequestID?, service: String, instance: String)
    case answered(id: RequestID?, service: String, instance: String, took: Duration)
    case refused(id: RequestID?, service: String, Refusal)
    /// Taken back by its client, or by the end of the client's connection.
    case cancelled(id: RequestID?, service: String)
    /// It was in flight at two crashes; its like is dispatched alone from now on.
    case suspected(id: RequestID?, service: String, kind: String)
    /// It has crashed a worker alone, too; its like is refused from now on.
    case quarantined(id: RequestID?, service: String, kind: String, crashes: Int)
    /// Messages dropped for one reason since the last such event.
    case dropped(DropReason, MessageFault?, count: Int)
}

/// Why a worker is no longer registered.
public enum WorkerLeaveReason: String, Sendable {
    case disconnected, silent, unreachable, expelled
    /// Its connection ended without a DISCONNECT: it has crashed, or will connect again.
    case connectionLost = "connection_lost"
}

/// Why a message was dropped and counted instead of being passed on.
public enum DropReason: String, Sendable, CaseIterable {
    /// The message is none of Majordomo's, or none for the broker; `MessageFault` tells more.
    case malformed
    /// A reply without a live ticket of that worker.
    case staleTicket = "stale_ticket"
    /// A reply, heartbeat or request from a worker that is not registered.
    case unregistered
    /// The same request again while the first is under way: the caller gets the one answer.
    case duplicate
    /// The peer's pipe is full or its connection is gone.
    case undeliverable
}
