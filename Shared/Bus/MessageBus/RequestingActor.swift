internal import Synchronization

/// The side of a transport that sends requests: an actor on a loop, whose callers wait on any thread.
public protocol RequestingActor: Actor {
    associatedtype Ending: Sendable
    typealias Caller = UnsafeContinuation<Ending?, Never>

    /// How a request ends that exceeds the limit of open ones.
    static var overload: Ending { get }

    /// Whether this is the thread of the actor's loop.
    nonisolated var isOnLoop: Bool { get }

    nonisolated var cancelledRequests: CancelledRequests { get }

    /// Makes the actor take the cancelled requests.
    nonisolated func wake()

    var openRequests: Int { get }

    /// Sends a request whose ending resumes the caller.
    ///
    /// - Parameter caller: nil when nobody waits for the ending.
    func open(_ call: BusCall, for caller: Caller?)
}

// Public and inlinable, as those of `ServingActor` are.
extension RequestingActor {
    /// Sends a request and waits for its ending; nil when the task was cancelled.
    @concurrent
    @inlinable
    public nonisolated func request(_ call: BusCall) async -> Ending? {
        // A caller on the loop needs no change of executors, neither here nor when it continues.
        guard isOnLoop else { return await requestOnLoop(call) }
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { caller in assumeIsolated { $0.begin(call, caller) } }
        } onCancel: {
            cancel(call.id)
        }
    }

    @inlinable
    func requestOnLoop(_ call: BusCall) async -> Ending? {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { begin(call, $0) }
        } onCancel: {
            cancel(call.id)
        }
    }

    @inlinable
    nonisolated func cancel(_ id: RequestID) {
        cancelledRequests.append(id)
        wake()
    }

    @inlinable
    func begin(_ call: BusCall, _ caller: Caller) {
        if Task.isCancelled { return caller.resume(returning: nil) }
        guard openRequests < CancelledRequests.maxOpen else { return caller.resume(returning: Self.overload) }
        open(call, for: caller)
    }

    /// Sends a request without waiting for its ending; false when too many requests are open.
    @inlinable
    public func post(_ call: BusCall) -> Bool {
        guard openRequests < CancelledRequests.maxOpen else { return false }
        open(call, for: nil)
        return true
    }
}

/// The requests whose callers have been cancelled, until their actor takes them.
public final class CancelledRequests: Sendable {
    /// The limit of open requests. libzmq frees a pipe's capacity in steps of half a pipe. Twice this number of messages
    /// must fit, otherwise the pipe could be full although all messages have been read.
    @inlinable
    static var maxOpen: Int { 500 }

    private let ids = Mutex<[RequestID]>([])

    public init() {}

    @usableFromInline
    func append(_ id: RequestID) {
        ids.withLock { $0.append(id) }
    }

    public func take() -> [RequestID] {
        ids.withLock { ids in
            defer { ids = [] }
            return ids
        }
    }
}
