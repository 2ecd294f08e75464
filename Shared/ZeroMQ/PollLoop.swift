internal import CZeroMQ
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// One thread that owns ZeroMQ sockets: it runs the jobs of the actors pinned to it and otherwise sits in `zmq_poll`.
///
/// It is a `SerialExecutor` (socket actors are pinned to it, so a socket never meets a second thread) and a
/// `TaskExecutor` (a task that prefers it loses no thread hop to its socket). One turn runs all jobs that are waiting,
/// then asks libzmq for ready sockets, and sleeps only if there was nothing to do.
///
/// The loop ends with its `Context`; jobs that arrive after its end never run.
public final class PollLoop: SerialExecutor, TaskExecutor {
    private struct Mailbox {
        var jobs: [UnownedJob] = []
        var commands: [WaitCommand] = []
        /// True while the thread is in, or on its way into, a sleep that only the wake-up descriptor ends.
        var isAsleep = false
        var isStopping = false
    }

    private static let maxTurnsWithoutPoll = 8

    private let mailbox = Mutex(Mailbox())
    private let wakeup: WakeupDescriptor
    private let thread = Atomic<UInt>(0)
    private let nextID = Atomic<UInt64>(1)
    /// Guard: touched on the loop's own thread only.
    private nonisolated(unsafe) var turnEndActions: [() -> Void] = []

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

    // MARK: Turns

    /// Runs the action once the jobs of this turn are done, before the loop looks at its sockets.
    ///
    /// What many jobs of a turn have to send goes out in one go then: libzmq's own thread wakes once for all of it, instead of
    /// once for each. To be called on the loop.
    public func atEndOfIteration(_ action: @escaping () -> Void) {
        checkIsolated()
        turnEndActions.append(action)
    }

    private func endTurn() {
        while !turnEndActions.isEmpty {
            let actions = turnEndActions
            turnEndActions.removeAll(keepingCapacity: true)
            for action in actions { action() }
        }
    }

    // MARK: Waiting, for the wait table of this loop

    func makeID() -> UInt64 {
        nextID.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// Hands a command to the loop from any thread; it is carried out in the loop's next turn.
    func command(_ command: WaitCommand) {
        post { $0.commands.append(command) }
    }

    private func post(_ change: (inout sending Mailbox) -> Void) {
        let wasAsleep = mailbox.withLock { box in
            change(&box)
            return exchange(&box.isAsleep, with: false)
        }
        // What the loop's own thread posts, it finds in its next turn: it is asleep only in `zmq_poll`.
        if wasAsleep, !isOnLoop { wakeup.ring() }
    }

    // MARK: The thread

    /// Asks the thread to end after the jobs that are waiting now.
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
        var turnsWithoutPoll = 0
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
            endTurn()
            jobs.removeAll(keepingCapacity: true)
            let mustReturn = mailbox.withLock { box in
                swap(&commands, &box.commands)
                let isIdle = box.jobs.isEmpty && commands.isEmpty && !box.isStopping
                box.isAsleep = isIdle
                return !isIdle
            }
            // Those of this turn too: a socket that it has closed must not be polled.
            carryOut(&commands, on: waits)
            // Each poll costs system calls: while jobs keep coming, sockets and deadlines are looked at every few turns.
            turnsWithoutPoll += 1
            if mustReturn, turnsWithoutPoll < Self.maxTurnsWithoutPoll { continue }
            turnsWithoutPoll = 0
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
