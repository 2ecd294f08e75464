internal import CZeroMQ

/// What a wait is for. Guard of the pointer: a libzmq socket whose actor and whose wait table share one thread.
enum WaitInterest: @unchecked Sendable {
    case readable(UnsafeMutableRawPointer)
    case writable(UnsafeMutableRawPointer)
    /// Nothing but the deadline.
    case time
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
    private struct Wait {
        let id: UInt64
        let interest: WaitInterest
        var deadline: ContinuousClock.Instant?
        let continuation: UnsafeContinuation<WaitOutcome, Never>
    }

    private nonisolated let loop: PollLoop
    private var waits: [Wait] = []
    private var items: [zmq_pollitem_t] = []

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
                await withUnsafeContinuation { continuation in
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
            waits[index].deadline = deadline
        }
    }

    /// One round of `zmq_poll`; ends every wait whose socket is ready or whose time has come.
    func poll(wakeup: borrowing WakeupDescriptor, mayBlock: Bool) {
        items.removeAll(keepingCapacity: true)
        items.append(wakeup.pollItem)
        for wait in waits {
            switch wait.interest {
            case .readable(let socket): items.append(item(socket, ZMQ_POLLIN))
            case .writable(let socket): items.append(item(socket, ZMQ_POLLOUT))
            case .time: break
            }
        }
        let timeout = mayBlock ? pollTimeout() : 0
        // An interrupted poll (EINTR) is no failure: nothing is ready, and the next turn polls again.
        if zmq_poll(&items, Int32(items.count), timeout) > 0 { finishReady(wakeup) }
        finishDue()
    }

    private func item(_ socket: UnsafeMutableRawPointer, _ events: Int32) -> zmq_pollitem_t {
        zmq_pollitem_t(socket: socket, fd: 0, events: Int16(events), revents: 0)
    }

    /// Milliseconds until the earliest deadline, rounded up; -1 when there is none.
    private func pollTimeout() -> Int {
        guard let earliest = waits.lazy.compactMap(\.deadline).min() else { return -1 }
        return Int((earliest - .now).wholeMilliseconds)
    }

    private func finishReady(_ wakeup: borrowing WakeupDescriptor) {
        if items[0].revents != 0 { wakeup.clear() }
        for item in items.dropFirst() where item.revents != 0 {
            let index = waits.firstIndex { wait in
                switch wait.interest {
                case .readable(let socket): socket == item.socket && item.events == Int16(ZMQ_POLLIN)
                case .writable(let socket): socket == item.socket && item.events == Int16(ZMQ_POLLOUT)
                case .time: false
                }
            }
            if let index { waits.remove(at: index).continuation.resume(returning: .ready) }
        }
    }

    private func finishDue() {
        guard waits.contains(where: { $0.deadline != nil }) else { return }
        let now = ContinuousClock.now
        for index in waits.indices.reversed() {
            guard let deadline = waits[index].deadline, deadline <= now else { continue }
            waits.remove(at: index).continuation.resume(returning: .deadlinePassed)
        }
    }
}
