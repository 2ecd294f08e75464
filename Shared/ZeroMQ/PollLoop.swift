internal import Synchronization

/// One thread that owns ZeroMQ sockets: it runs the jobs of the actors pinned to it and otherwise waits in `poll`.
///
/// It is a `SerialExecutor`: socket actors are pinned to it, so a socket is used by one thread only. A task that prefers
/// its `tasks` needs no thread change to use its sockets. One iteration runs all waiting jobs, then polls the sockets,
/// and blocks only if there was nothing to do.
///
/// The loop ends with its `Context`; jobs that arrive after its end never run.
public final class PollLoop: SerialExecutor {
    private static let maxIterationsWithoutPoll = 8

    /// For tasks that use actors of the loop: outside of these they run on the loop's thread, too.
    ///
    /// An executor of its own: if a task outside of actors ran on the serial executor, each return from an actor to the
    /// task would be another job.
    public var tasks: any TaskExecutor { taskExecutor }

    private let mailbox: LoopMailbox
    private let taskExecutor: LoopTaskExecutor
    private let nextID = Atomic<UInt64>(1)
    /// Safety: used on the loop's own thread only.
    private nonisolated(unsafe) var iterationEndActions: [() -> Void] = []

    init() throws(ZeroMQError) {
        mailbox = try LoopMailbox()
        taskExecutor = LoopTaskExecutor(mailbox)
    }

    // MARK: Executor

    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        mailbox.post { $0.jobs.append(.isolated(unowned)) }
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

    /// Whether the calling thread is the loop's.
    public var isOnLoop: Bool { mailbox.isOnLoop }

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
        mailbox.post { $0.commands.append(command) }
    }

    // MARK: The thread

    /// Requests the end of the thread after the jobs that are waiting now.
    func stop() {
        mailbox.post { $0.isStopping = true }
    }

    private func carryOut(_ commands: inout [WaitCommand], on waits: WaitTable) {
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
    func run(waits: WaitTable) {
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
            carryOut(&commands, on: waits)
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
            carryOut(&commands, on: waits)
            // Each poll costs system calls: while jobs keep arriving, the loop polls only every few iterations.
            iterationsWithoutPoll += 1
            if mustReturn, iterationsWithoutPoll < Self.maxIterationsWithoutPoll { continue }
            iterationsWithoutPoll = 0
            waits.assumeIsolated { $0.poll(wakeup: mailbox.wakeup, mayBlock: !mustReturn) }
            mailbox.take { $0.isAsleep = false }
        }
    }
}

/// Runs the tasks of a poll loop outside of its actors.
private final class LoopTaskExecutor: TaskExecutor {
    private let mailbox: LoopMailbox

    init(_ mailbox: LoopMailbox) {
        self.mailbox = mailbox
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        mailbox.post { $0.jobs.append(.task(unowned)) }
    }
}
