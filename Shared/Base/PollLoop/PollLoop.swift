internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// One thread that owns sockets: it runs the jobs of the actors pinned to it and otherwise waits in `poll`.
///
/// Socket actors are pinned to its serial executor, so a socket is used by one thread only. A task that prefers its
/// `tasks` needs no thread change to use its sockets. One iteration runs all waiting jobs, then polls the sockets, and
/// blocks only if there was nothing to do.
///
/// `withRunning` provides the thread; jobs that arrive after its end never run.
public final class PollLoop: Sendable {
    private static let maxIterationsWithoutPoll = 8

    /// For tasks that use actors of the loop: outside of these they run on the loop's thread, too.
    ///
    /// An executor of its own: if a task outside of actors ran on the serial executor, each return from an actor to the
    /// task would be another job.
    public var tasks: any TaskExecutor { taskExecutor }

    private let mailbox: LoopMailbox
    private let executor: LoopExecutor
    private let taskExecutor: LoopTaskExecutor
    private let waits: WaitTable
    private let nextID = Atomic<UInt64>(1)
    /// Safety: used on the loop's own thread only.
    private nonisolated(unsafe) var iterationEndActions: [() -> Void] = []

    public init() throws(DescriptorError) {
        mailbox = try LoopMailbox()
        executor = LoopExecutor(mailbox)
        taskExecutor = LoopTaskExecutor(mailbox)
        waits = WaitTable(on: executor)
    }

    // MARK: Executor

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Whether the calling thread is the loop's.
    public var isOnLoop: Bool { mailbox.isOnLoop }

    // MARK: Iterations

    /// Runs the action after the jobs of this iteration, before the loop polls its sockets.
    ///
    /// The messages of many jobs can then be sent together: libzmq's thread wakes once for all of them instead of once
    /// for each. Call it on the loop.
    public func atEndOfIteration(_ action: @escaping () -> Void) {
        executor.checkIsolated()
        iterationEndActions.append(action)
    }

    private func endIteration() {
        while !iterationEndActions.isEmpty {
            let actions = iterationEndActions
            iterationEndActions.removeAll(keepingCapacity: true)
            for action in actions { action() }
        }
    }

    // MARK: Waiting

    /// For an owner of waits.
    public func makeID() -> UInt64 {
        nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// Suspends until the socket is ready, the deadline has passed, the task is cancelled or the socket is closed.
    ///
    /// Each owner of an `id` has at most one wait at a time. The deadline is read on the loop, so that a change of it
    /// is either read there or arrives as a command after the wait is in the table.
    public func wait(
        id: UInt64, for interest: WaitInterest, until deadline: @Sendable () -> ContinuousClock.Instant? = { nil }
    ) async -> WaitOutcome {
        await waits.wait(id: id, for: interest, until: deadline)
    }

    /// Ends the wait of this owner, if there is one.
    public func endWait(id: UInt64, as outcome: WaitOutcome) {
        executor.command(.finish(id: id, outcome: outcome))
    }

    /// Sets an earlier deadline for the wait of this owner, if there is one.
    func setDeadline(id: UInt64, _ deadline: ContinuousClock.Instant) {
        executor.command(.setDeadline(id: id, deadline))
    }

    // MARK: The thread

    /// Runs the loop on its own thread while `body` runs.
    ///
    /// - Parameter atEnd: is called on that thread after the loop; may block it.
    public func withRunning<Result: Sendable>(
        atEnd: @escaping @Sendable () -> Void = {}, _ body: () async throws -> Result
    ) async throws -> Result {
        let end = Completion()
        start {
            atEnd()
            end.complete()
        }
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        stop()
        await end.wait()
        return try result.get()
    }

    /// `whenStopped` is called on the thread of the loop at its end.
    fileprivate func start(whenStopped: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(LoopThread(loop: self, whenStopped: whenStopped))
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

    /// Requests the end of the thread after the jobs that are waiting now.
    fileprivate func stop() {
        mailbox.post { $0.isStopping = true }
    }

    private func carryOut(_ commands: inout [WaitCommand]) {
        guard !commands.isEmpty else { return }
        waits.assumeIsolated { table in
            for command in commands { table.apply(command) }
        }
        commands.removeAll(keepingCapacity: true)
    }

    private func run(_ job: LoopMailbox.Job) {
        let tasks = taskExecutor.asUnownedTaskExecutor()
        switch job {
        case .isolated(let job):
            unsafe job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: tasks)
        case .task(let job): unsafe job.runSynchronously(on: tasks)
        }
    }

    /// Runs the loop on the calling thread until `stop()`.
    fileprivate func run() {
        mailbox.enter()
        var jobs: [LoopMailbox.Job] = []
        var commands: [WaitCommand] = []
        var iterationsWithoutPoll = 0
        while true {
            let isStopping = mailbox.take { box in
                swap(&jobs, &box.jobs)
                swap(&commands, &box.commands)
                return box.isStopping
            }
            if isStopping, jobs.isEmpty, commands.isEmpty { return }
            carryOut(&commands)
            for job in jobs { run(job) }
            endIteration()
            jobs.removeAll(keepingCapacity: true)
            let mustReturn = mailbox.take { box in
                swap(&commands, &box.commands)
                let isIdle = box.jobs.isEmpty && commands.isEmpty && !box.isStopping
                box.isAsleep = isIdle
                return !isIdle
            }
            // Carry out the commands of this iteration too: a socket that was closed in it must not be polled.
            carryOut(&commands)
            // Each poll costs system calls: while jobs keep arriving, the loop polls only every few iterations.
            iterationsWithoutPoll += 1
            if mustReturn, iterationsWithoutPoll < Self.maxIterationsWithoutPoll { continue }
            iterationsWithoutPoll = 0
            waits.assumeIsolated { $0.poll(wakeup: mailbox.wakeup, mayBlock: !mustReturn) }
            mailbox.take { $0.isAsleep = false }
        }
    }
}

private final class LoopThread {
    let loop: PollLoop
    let whenStopped: @Sendable () -> Void

    init(loop: PollLoop, whenStopped: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.whenStopped = whenStopped
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let body = Unmanaged<LoopThread>.fromOpaque(argument).takeRetainedValue()
    body.loop.run()
    body.whenStopped()
    return nil
}
