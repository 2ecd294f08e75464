#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// What a wait is for.
enum WaitInterest: Sendable {
    case readable(SocketReadiness)
    case writable(SocketReadiness)
    /// Nothing but the deadline.
    case time

    var socket: SocketReadiness? {
        switch self {
        case .readable(let socket), .writable(let socket): socket
        case .time: nil
        }
    }

    /// As far as is known, what is waited for is not there.
    var isSettled: Bool {
        switch self {
        case .readable(let socket): socket.isReadSettled
        case .writable(let socket): socket.isWriteSettled
        case .time: true
        }
    }
}

enum WaitOutcome: Sendable {
    case ready, deadlinePassed, cancelled, closed
}

/// A change to the loop's waits that may come from any thread.
enum WaitCommand: Sendable {
    case finish(id: UInt64, outcome: WaitOutcome)
    /// An earlier end for the wait. Unknown ids are ignored: their wait has just ended.
    case setDeadline(id: UInt64, ContinuousClock.Instant)
}

/// The waits of one poll loop: a handful, so that scanning them costs less than any index.
///
/// An actor on the loop itself, so that only the loop's own thread touches it; the loop enters it by `assumeIsolated`.
actor WaitTable {
    /// An object, since an instant is copied by way of the runtime, field by field.
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

        /// How it ends now; nil when it goes on.
        ///
        /// - Parameters:
        ///   - isTold: its descriptor tells of news.
        ///   - mayBeReady: some socket was found to be ready.
        ///   - now: nil when no wait has a deadline.
        func outcome(isTold: Bool, mayBeReady: Bool, at now: ContinuousClock.Instant?) -> WaitOutcome? {
            let wasReady = mayBeReady && !interest.isSettled
            if isTold { interest.socket?.disturb() }
            if wasReady { return .ready }
            // Whoever waits to receive looks at the news itself, and waits again if they are of another kind; whoever waits
            // to send has them looked at in the next round.
            if isTold, case .readable = interest { return .ready }
            if let deadline, let now, deadline <= now { return .deadlinePassed }
            return nil
        }
    }

    private nonisolated let loop: PollLoop
    private var waits: [Wait] = []
    private var items: [pollfd] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: PollLoop) {
        self.loop = loop
    }

    /// Suspends until the socket is ready, the deadline has passed, the task is cancelled or the wait is called off.
    ///
    /// Each owner of an `id` has at most one wait at a time. The deadline is read on the loop, so that a change of it is
    /// either seen here or arrives as a command after the wait is in the table.
    func wait(
        id: UInt64, for interest: WaitInterest, until deadline: @Sendable () -> ContinuousClock.Instant? = { nil }
    ) async -> WaitOutcome {
        while !Task.isCancelled {
            let outcome = await withTaskCancellationHandler {
                await withUnsafeContinuation { (continuation: UnsafeContinuation<WaitOutcome, Never>) in
                    // Closed since its owner looked, were it on the way here.
                    if interest.socket?.isClosed == true { return continuation.resume(returning: .closed) }
                    waits.append(
                        Wait(id: id, interest: interest, deadline: deadline(), continuation: continuation))
                    // The handler may have fired between its registration and this line, for a wait that was not there yet.
                    if Task.isCancelled { loop.command(.finish(id: id, outcome: .cancelled)) }
                }
            } onCancel: {
                loop.command(.finish(id: id, outcome: .cancelled))
            }
            // A cancellation that came too late for its own wait may end the next one of this owner: wait again.
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
            // Two threads that ask for times may be heard in the other order.
            waits[index].deadline = waits[index].deadline.map { min($0, deadline) } ?? deadline
        }
    }

    /// One look at all sockets; ends every wait whose socket is ready or whose time has come.
    ///
    /// Three walks over the waits, to look, to collect and to end them: the loop does this several times a message.
    func poll(wakeup: borrowing WakeupDescriptor, mayBlock: Bool) {
        // All of them first: a look for one wait may find what another of the same socket waits for.
        for wait in waits where !wait.interest.isSettled { wait.interest.socket?.look() }
        var isReady = false
        var earliest: ContinuousClock.Instant?
        items.removeAll(keepingCapacity: true)
        items.append(item(wakeup.descriptor))
        for wait in waits {
            // A negative descriptor is passed over.
            items.append(item(wait.interest.socket?.descriptor ?? -1))
            isReady = isReady || !wait.interest.isSettled
            if let deadline = wait.deadline { earliest = earliest.map { min($0, deadline) } ?? deadline }
        }
        // What is ready already must not keep the others from being seen.
        let timeout = mayBlock && !isReady ? earliest.map { ($0 - .now).wholeMilliseconds } ?? -1 : 0
        // An interrupted poll (EINTR) is no failure: nothing is ready, and the next turn polls again.
        let isTold = pollDescriptors(&items, timeout) > 0
        if isTold, items[0].revents != 0 { wakeup.clear() }
        guard isTold || isReady || earliest != nil else { return }
        let now = earliest.map { _ in ContinuousClock.now }
        for index in waits.indices.reversed() {
            let isTold = isTold && items[index + 1].revents != 0
            guard let outcome = waits[index].outcome(isTold: isTold, mayBeReady: isReady, at: now) else { continue }
            waits.remove(at: index).continuation.resume(returning: outcome)
        }
    }

    private func item(_ descriptor: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }
}

/// Out here `poll` is the system's.
private func pollDescriptors(_ items: inout [pollfd], _ timeout: Int32) -> Int32 {
    poll(&items, nfds_t(items.count), timeout)
}
