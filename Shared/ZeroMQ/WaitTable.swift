internal import CZeroMQ

/// What a wait is for. The pointer is a libzmq socket that belongs to the waiting actor.
enum WaitInterest {
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
    /// A later or earlier end for the wait; nil waits without end. Unknown ids are ignored: their wait has just ended.
    case setDeadline(id: UInt64, ContinuousClock.Instant?)
}

/// The waits of one poll loop: a handful, so that scanning them costs less than any index.
struct WaitTable {
    private struct Wait {
        let id: UInt64
        let interest: WaitInterest
        var deadline: ContinuousClock.Instant?
        let continuation: UnsafeContinuation<WaitOutcome, Never>
    }

    private var waits: [Wait] = []
    private var items: [zmq_pollitem_t] = []

    mutating func insert(
        id: UInt64, interest: WaitInterest, deadline: ContinuousClock.Instant?,
        continuation: UnsafeContinuation<WaitOutcome, Never>
    ) {
        waits.append(Wait(id: id, interest: interest, deadline: deadline, continuation: continuation))
    }

    mutating func apply(_ command: WaitCommand) {
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
    mutating func poll(wakeup: borrowing WakeupDescriptor, mayBlock: Bool) {
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

    private mutating func finishReady(_ wakeup: borrowing WakeupDescriptor) {
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

    private mutating func finishDue() {
        guard waits.contains(where: { $0.deadline != nil }) else { return }
        let now = ContinuousClock.now
        for index in waits.indices.reversed() {
            guard let deadline = waits[index].deadline, deadline <= now else { continue }
            waits.remove(at: index).continuation.resume(returning: .deadlinePassed)
        }
    }
}
