internal import CZeroMQ
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// One thread that owns ZeroMQ sockets: it runs the jobs of the actors pinned to it and otherwise waits in `poll`.
///
/// It is a `SerialExecutor` (socket actors are pinned to it, so a socket is used by one thread only) and a
/// `TaskExecutor` (a task that prefers it needs no thread change to use its socket). One iteration runs all waiting
/// jobs, then polls the sockets, and blocks only if there was nothing to do.
///
/// The loop ends with its `Context`; jobs that arrive after its end never run.
public final class PollLoop: SerialExecutor, TaskExecutor {
    private struct Mailbox {
        var jobs: [UnownedJob] = []
        var commands: [WaitCommand] = []
        /// True while the thread blocks, or is about to block, until the wake-up descriptor is readable.
        var isAsleep = false
        var isStopping = false
    }

    private static let maxIterationsWithoutPoll = 8

    private let mailbox = Mutex(Mailbox())
    private let wakeup: WakeupDescriptor
    private let thread = Atomic<UInt>(0)
    private let nextID = Atomic<UInt64>(1)
    /// Safety: used on the loop's own thread only.
    private nonisolated(unsafe) var iterationEndActions: [() -> Void] = []

    init() throws(ZeroMQError) {
        wakeup = try WakeupDescriptor()
    }

    // MARK: Executor

    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        post { $0.jobs.append(unowned) }
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    public func checkIsolated() {
        precondition(isOnLoop, "not on the poll loop's thread")
    }

    public func isIsolatingCurrentContext() -> Bool? {
        isOnLoop
    }

    private var isOnLoop: Bool {
        thread.load(ordering: .relaxed) == currentThread()
    }

    // MARK: Iterations

    /// Runs the action after the jobs of this iteration, before the loop polls its sockets.
    ///
    /// The messages of many jobs can then be sent together: libzmq's thread wakes once for all of them instead of once
    /// for each. Call it on the loop.
    public func atEndOfIteration(_ action: @escaping () -> Void) {
        checkIsolated()
        iterationEndActions.append(action)
    }

    private func endIteration() {
        while !iterationEndActions.isEmpty {
            let actions = iterationEndActions
            iterationEndActions.removeAll(keepingCapacity: true)
            for action in actions { action() }
        }
    }

    // MARK: Waiting, for the wait table of this loop

    func makeID() -> UInt64 {
        nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// Sends a command to the loop from any thread; it is carried out in the loop's next iteration.
    func command(_ command: WaitCommand) {
        post { $0.commands.append(command) }
    }

    private func post(_ change: (inout sending Mailbox) -> Void) {
        let wasAsleep = mailbox.withLock { box in
            change(&box)
            return exchange(&box.isAsleep, with: false)
        }
        // The loop's own thread needs no wake-up: it reads the mailbox in its next iteration.
        if wasAsleep, !isOnLoop { wakeup.ring() }
    }

    // MARK: The thread

    /// Requests the end of the thread after the jobs that are waiting now.
    func stop() {
        post { $0.isStopping = true }
    }

    private func carryOut(_ commands: inout [WaitCommand], on waits: WaitTable) {
        guard !commands.isEmpty else { return }
        waits.assumeIsolated { table in
            for command in commands { table.apply(command) }
        }
        commands.removeAll(keepingCapacity: true)
    }

    /// Runs the loop on the calling thread until `stop()`.
    func run(waits: WaitTable) {
        thread.store(currentThread(), ordering: .relaxed)
        var jobs: [UnownedJob] = []
        var commands: [WaitCommand] = []
        var iterationsWithoutPoll = 0
        while true {
            let isStopping = mailbox.withLock { box in
                swap(&jobs, &box.jobs)
                swap(&commands, &box.commands)
                return box.isStopping
            }
            if isStopping, jobs.isEmpty, commands.isEmpty { return }
            carryOut(&commands, on: waits)
            for job in jobs {
                unsafe job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
            endIteration()
            jobs.removeAll(keepingCapacity: true)
            let mustReturn = mailbox.withLock { box in
                swap(&commands, &box.commands)
                let isIdle = box.jobs.isEmpty && commands.isEmpty && !box.isStopping
                box.isAsleep = isIdle
                return !isIdle
            }
            // Carry out the commands of this iteration too: a socket that was closed in it must not be polled.
            carryOut(&commands, on: waits)
            // Each poll costs system calls: while jobs keep arriving, the loop polls only every few iterations.
            iterationsWithoutPoll += 1
            if mustReturn, iterationsWithoutPoll < Self.maxIterationsWithoutPoll { continue }
            iterationsWithoutPoll = 0
            waits.assumeIsolated { $0.poll(wakeup: wakeup, mayBlock: !mustReturn) }
            mailbox.withLock { $0.isAsleep = false }
        }
    }
}

private func currentThread() -> UInt {
    #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
    #else
        UInt(pthread_self())
    #endif
}
