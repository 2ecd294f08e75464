/// Runs the jobs of the actors that are pinned to a poll loop.
final class LoopExecutor: SerialExecutor {
    private let mailbox: LoopMailbox

    init(_ mailbox: LoopMailbox) {
        self.mailbox = mailbox
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        mailbox.post { $0.jobs.append(.isolated(unowned)) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    func checkIsolated() {
        precondition(mailbox.isOnLoop, "not on the poll loop's thread")
    }

    func isIsolatingCurrentContext() -> Bool? {
        mailbox.isOnLoop
    }

    /// Sends a command to the loop from any thread; it is carried out in the loop's next iteration.
    func command(_ command: WaitCommand) {
        mailbox.post { $0.commands.append(command) }
    }
}

/// Runs the tasks of a poll loop outside of its actors.
final class LoopTaskExecutor: TaskExecutor {
    private let mailbox: LoopMailbox

    init(_ mailbox: LoopMailbox) {
        self.mailbox = mailbox
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        mailbox.post { $0.jobs.append(.task(unowned)) }
    }
}
