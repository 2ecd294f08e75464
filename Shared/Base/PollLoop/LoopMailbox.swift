internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// What other threads, and the jobs themselves, leave for the thread of a poll loop.
final class LoopMailbox: Sendable {
    enum Job: Sendable {
        /// Of an actor that is pinned to the loop.
        case isolated(UnownedJob)
        /// Of a task that prefers the loop, outside of actors.
        case task(UnownedJob)
    }

    struct Content {
        var jobs: [Job] = []
        var commands: [WaitCommand] = []
        /// True while the thread blocks, or is about to block, until the wake-up descriptor is readable.
        var isAsleep = false
        var isStopping = false
    }

    let wakeup: WakeupDescriptor
    private let content = Mutex(Content())
    private let thread = Atomic<UInt>(0)

    init() throws(DescriptorError) {
        wakeup = try WakeupDescriptor()
    }

    func post(_ change: (inout sending Content) -> Void) {
        let wasAsleep = content.withLock { content in
            change(&content)
            return exchange(&content.isAsleep, with: false)
        }
        // The loop's own thread needs no wake-up: it reads the mailbox in its next iteration.
        if wasAsleep, !isOnLoop { wakeup.ring() }
    }

    func take<Result: Sendable>(_ change: (inout sending Content) -> sending Result) -> Result {
        content.withLock { change(&$0) }
    }

    // MARK: The thread

    /// The calling thread is the loop's from now on.
    func enter() { thread.store(currentThread(), ordering: .relaxed) }

    var isOnLoop: Bool { thread.load(ordering: .relaxed) == currentThread() }
}

private func currentThread() -> UInt {
    #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
    #else
        UInt(pthread_self())
    #endif
}
