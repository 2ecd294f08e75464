#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The event that a wait is for.
public enum WaitInterest: Sendable {
    case readable(Readiness)
    case writable(Readiness)
    /// The deadline only.
    case time

    var readiness: Readiness? {
        switch self {
        case .readable(let readiness), .writable(let readiness): readiness
        case .time: nil
        }
    }

    /// The event is known not to have occurred.
    var isSettled: Bool {
        switch self {
        case .readable(let readiness): readiness.isReadSettled
        case .writable(let readiness): readiness.isWriteSettled
        case .time: true
        }
    }

    /// The event for which the descriptor is polled.
    var pollEvent: Int16 {
        if case .writable(let readiness) = self, readiness.signalsRoom { return Int16(POLLOUT) }
        return Int16(POLLIN)
    }

    /// A receiver reads from the socket itself, and waits again if the event was of another kind; for a sender whose
    /// descriptor does not signal room, the socket is checked in the next iteration.
    var endsWithSignal: Bool {
        switch self {
        case .readable: true
        case .writable(let readiness): readiness.signalsRoom
        case .time: false
        }
    }
}

public enum WaitOutcome: Sendable {
    case ready, deadlinePassed, cancelled, closed
}

/// A change to the loop's waits that may come from any thread.
enum WaitCommand: Sendable {
    case finish(id: UInt64, outcome: WaitOutcome)
    /// Sets an earlier deadline for the wait. Unknown ids are ignored: their wait has just ended.
    case setDeadline(id: UInt64, ContinuousClock.Instant)
}

/// The waits of one poll loop. There are few, so scanning them costs less than an index.
///
/// An actor on the loop itself, so that only the loop's own thread uses it; the loop enters it by `assumeIsolated`.
actor WaitTable {
    /// A class, since copying an instant in a struct goes through the runtime, field by field.
    private final class Wait {
        let id: UInt64
        let interest: WaitInterest
        var deadline: ContinuousClock.Instant?
        let continuation: UnsafeContinuation<WaitOutcome, Never>

        init(
            id: UInt64, interest: WaitInterest, deadline: ContinuousClock.Instant?,
            continuation: UnsafeContinuation<WaitOutcome, Never>
        ) {
            self.id = id
            self.interest = interest
            self.deadline = deadline
            self.continuation = continuation
        }

        /// How the wait ends now; nil when it continues.
        ///
        /// - Parameters:
        ///   - isSignalled: its descriptor signals new events.
        ///   - mayBeReady: some socket was found to be ready.
        ///   - now: nil when no wait has a deadline.
        func outcome(isSignalled: Bool, mayBeReady: Bool, at now: ContinuousClock.Instant?) -> WaitOutcome? {
            let wasReady = mayBeReady && !interest.isSettled
            if isSignalled { interest.readiness?.invalidate() }
            if wasReady || isSignalled && interest.endsWithSignal { return .ready }
            if let deadline, let now, deadline <= now { return .deadlinePassed }
            return nil
        }
    }

    private nonisolated let executor: LoopExecutor
    private var waits: [Wait] = []
    private var items: [pollfd] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(on executor: LoopExecutor) {
        self.executor = executor
    }

    /// See `PollLoop.wait`.
    func wait(
        id: UInt64, for interest: WaitInterest, until deadline: @Sendable () -> ContinuousClock.Instant? = { nil }
    ) async -> WaitOutcome {
        while !Task.isCancelled {
            let outcome = await withTaskCancellationHandler {
                await withUnsafeContinuation { (continuation: UnsafeContinuation<WaitOutcome, Never>) in
                    // The socket may have been closed since the caller checked it.
                    if interest.readiness?.isClosed == true { return continuation.resume(returning: .closed) }
                    waits.append(
                        Wait(id: id, interest: interest, deadline: deadline(), continuation: continuation))
                    // The handler may have run between its registration and this line, before the wait was in the
                    // table.
                    if Task.isCancelled { executor.command(.finish(id: id, outcome: .cancelled)) }
                }
            } onCancel: {
                executor.command(.finish(id: id, outcome: .cancelled))
            }
            // A late cancellation of an earlier wait may end the next wait of this owner: wait again.
            if outcome != .cancelled { return outcome }
        }
        return .cancelled
    }

    func apply(_ command: WaitCommand) {
        switch command {
        case .finish(let id, let outcome):
            guard let index = waits.firstIndex(where: { $0.id == id }) else { return }
            waits.remove(at: index).continuation.resume(returning: outcome)
        case .setDeadline(let id, let deadline):
            guard let index = waits.firstIndex(where: { $0.id == id }) else { return }
            // The commands of two threads may arrive in the reverse order.
            waits[index].deadline = waits[index].deadline.map { min($0, deadline) } ?? deadline
        }
    }

    /// Checks all sockets once; ends every wait whose socket is ready or whose deadline has passed.
    ///
    /// It makes three passes over the waits: to check, to collect and to end them. The loop does this several times per
    /// message.
    func poll(wakeup: borrowing WakeupDescriptor, mayBlock: Bool) {
        // Check all of them first: the check for one wait may find the event of another wait on the same socket.
        for wait in waits where !wait.interest.isSettled { wait.interest.readiness?.refresh() }
        var isReady = false
        var earliest: ContinuousClock.Instant?
        items.removeAll(keepingCapacity: true)
        items.append(pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0))
        for wait in waits {
            // A negative descriptor is ignored.
            let descriptor = wait.interest.readiness?.descriptor ?? -1
            items.append(pollfd(fd: descriptor, events: wait.interest.pollEvent, revents: 0))
            isReady = isReady || !wait.interest.isSettled
            if let deadline = wait.deadline { earliest = earliest.map { min($0, deadline) } ?? deadline }
        }
        // If a wait is already ready, the poll must not block, but must still check the others.
        let timeout = mayBlock && !isReady ? earliest.map { ($0 - .now).wholeMilliseconds } ?? -1 : 0
        // An interrupted poll (EINTR) is no failure: nothing is ready, and the next iteration polls again.
        let isSignalled = pollDescriptors(&items, timeout) > 0
        if isSignalled, items[0].revents != 0 { wakeup.clear() }
        guard isSignalled || isReady || earliest != nil else { return }
        let now = earliest.map { _ in ContinuousClock.now }
        for index in waits.indices.reversed() {
            let isSignalled = isSignalled && items[index + 1].revents != 0
            guard let outcome = waits[index].outcome(isSignalled: isSignalled, mayBeReady: isReady, at: now)
            else { continue }
            waits.remove(at: index).continuation.resume(returning: outcome)
        }
    }
}

/// Outside the actor, `poll` is the system call.
private func pollDescriptors(_ items: inout [pollfd], _ timeout: Int32) -> Int32 {
    poll(&items, nfds_t(items.count), timeout)
}

extension Duration {
    /// Rounded up, so that a wait never ends early; capped within the range of libzmq's `int`.
    public var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        return Int32(max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
