public import Majordomo
public import MessageBus

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
    /// Cancelled by its client, or by the end of the client's connection.
    case cancelled(id: RequestID?, service: String)
    /// It was in flight at two crashes; equal requests are dispatched alone from now on.
    case suspected(id: RequestID?, service: String, kind: String)
    /// It was also in flight alone at a crash; equal requests are refused from now on.
    case quarantined(id: RequestID?, service: String, kind: String, crashes: Int)
    /// Messages dropped for one reason since the last such event.
    case dropped(DropReason, MessageFault?, count: Int)
}

/// Why a worker is no longer registered.
public enum WorkerLeaveReason: String, Sendable {
    case disconnected, silent, unreachable, expelled
    /// Its connection ended without DISCONNECT: it has crashed, or will connect again.
    case connectionLost = "connection_lost"
}

/// Why a message was dropped and counted instead of being forwarded.
public enum DropReason: String, Sendable, CaseIterable {
    /// Not a Majordomo message, or not one for the broker; `MessageFault` has the detail.
    case malformed
    /// A reply without a live ticket of that worker.
    case staleTicket = "stale_ticket"
    /// A reply, heartbeat or request from a worker that is not registered.
    case unregistered
    /// A repetition of an open request: the caller gets one answer.
    case duplicate
    /// The peer's pipe is full or its connection has ended.
    case undeliverable
    /// A registration, or an event of another process, that the key of its sender does not allow.
    case forbidden
}
