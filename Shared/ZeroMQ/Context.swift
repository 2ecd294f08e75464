internal import CZeroMQ

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A libzmq context and the poll loop of all its sockets.
///
/// `withContext` provides a context for a scope; each socket is closed by its own scope before that scope ends.
public final class Context: Sendable {
    public let loop: PollLoop
    let waits: WaitTable
    /// Safety: libzmq contexts may be used from any thread; this one is terminated once, after its loop has ended.
    nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

    fileprivate init() throws(ZeroMQError) {
        loop = try PollLoop()
        waits = WaitTable(on: loop)
        guard let pointer = zmq_ctx_new() else { throw .last("make a context") }
        self.pointer = pointer
        setBatchScheduling()
    }

    /// Gives libzmq's thread batch scheduling: it does not interrupt the loop that wakes it, and so sends or receives
    /// more messages at once. This saves a fifth of the CPU time per message under load, without effect where a core is
    /// idle.
    private func setBatchScheduling() {
        #if os(Linux)
            // SCHED_BATCH, which glibc declares for GNU sources only.
            let batch: Int32 = 3
            var policy: Int32 = 0
            var parameters = sched_param()
            // libzmq aborts where a sandbox forbids the policy, so it is tried on this thread first.
            guard pthread_getschedparam(pthread_self(), &policy, &parameters) == 0,
                pthread_setschedparam(pthread_self(), batch, &parameters) == 0,
                pthread_setschedparam(pthread_self(), policy, &parameters) == 0
            else { return }
            zmq_ctx_set(pointer, ZMQ_THREAD_SCHED_POLICY, batch)
        #endif
    }

    /// Runs the loop on its own thread; `whenEnded` is called there after the context has been terminated.
    fileprivate func start(whenEnded: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(ThreadBody(context: self, whenEnded: whenEnded))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let status = pthread_create(&thread, nil, { runThread($0) }, body.toOpaque())
        precondition(status == 0, "no thread for the poll loop: \(status)")
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
    }

    fileprivate func runUntilStopped() {
        loop.run(waits: waits)
        // Blocks this thread until all sockets are closed and their linger time is over.
        while zmq_ctx_term(pointer) != 0 && zmq_errno() == EINTR {}
    }
}

/// Runs `body` with a context and its running poll loop, and ends both afterwards.
public func withContext<Result: Sendable>(
    _ body: (Context) async throws -> Result
) async throws -> Result {
    let context = try Context()
    let (ended, whenEnded) = AsyncStream.makeStream(of: Never.self, bufferingPolicy: .bufferingOldest(0))
    context.start { whenEnded.finish() }
    let result: Swift.Result<Result, any Error>
    do {
        result = .success(try await body(context))
    } catch {
        result = .failure(error)
    }
    context.loop.stop()
    for await _ in ended {}
    return try result.get()
}

private final class ThreadBody {
    let context: Context
    let whenEnded: @Sendable () -> Void

    init(context: Context, whenEnded: @escaping @Sendable () -> Void) {
        self.context = context
        self.whenEnded = whenEnded
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let body = Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
    body.context.runUntilStopped()
    body.whenEnded()
    return nil
}
