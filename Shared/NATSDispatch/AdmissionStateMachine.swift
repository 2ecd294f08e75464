internal import DequeModule
public import Majordomo

/// Which requests an instance takes, and how it tells their clients that it works on them.
///
/// A pure value: as many requests run as the instance has capacity, some more wait, and others are refused, so that their
/// clients ask another instance. The answer is the receipt; only a request that takes longer is confirmed, now and then,
/// by a sign of work.
public struct AdmissionStateMachine: Sendable {
    public enum Action: Sendable, Equatable {
        case start(RequestID)
        /// Tell the client that this instance works on its request.
        case sign(RequestID, to: String)
        case answer(RequestID, to: String)
        case refuse(RequestID, Refusal, to: String)
        /// Leave the queue group, and call `left` when the server has confirmed that: until then requests may arrive,
        /// which are refused.
        case leave
        /// Every request has its answer.
        case stopped
    }

    private struct Admission: Sendable {
        /// The subject of the client's latest attempt.
        var reply: String
        let deadline: Duration
        var nextSign: Duration
        var isRunning = false
    }

    private let timing: AdmissionTiming
    private let capacity: Int
    private var admissions: [RequestID: Admission] = [:]
    private var queue: Deque<RequestID> = []
    private var running = 0
    private var isDraining = false
    private var hasLeft = false
    private var isStopped = false

    /// - Parameter capacity: the number of requests that run at a time.
    public init(capacity: Int, timing: AdmissionTiming = AdmissionTiming()) {
        self.capacity = capacity
        self.timing = timing
    }

    /// - Parameters:
    ///   - reply: the subject for the answer.
    ///   - deadline: when the client gives up.
    public mutating func received(
        _ id: RequestID, reply: String, deadline: Duration, at now: Duration, _ actions: inout [Action]
    ) {
        if admissions[id] != nil {
            // The client has missed a sign of work, and asks again.
            admissions[id]?.reply = reply
            admissions[id]?.nextSign = now + timing.signInterval
            return actions.append(.sign(id, to: reply))
        }
        guard deadline > now else { return actions.append(.refuse(id, .expired, to: reply)) }
        guard !isDraining else { return actions.append(.refuse(id, .unavailable, to: reply)) }
        guard running < capacity || queue.count < timing.maxQueued else {
            return actions.append(.refuse(id, .overloaded, to: reply))
        }
        admissions[id] = Admission(reply: reply, deadline: deadline, nextSign: now + timing.firstSign)
        queue.append(id)
        startQueued(at: now, &actions)
    }

    /// The handler has an answer.
    public mutating func finished(_ id: RequestID, at now: Duration, _ actions: inout [Action]) {
        guard let admission = remove(id) else { return }
        actions.append(.answer(id, to: admission.reply))
        startQueued(at: now, &actions)
    }

    /// The handler returns the request undelivered: another instance may take it.
    public mutating func returned(_ id: RequestID, at now: Duration, _ actions: inout [Action]) {
        guard let admission = remove(id) else { return }
        actions.append(.refuse(id, .unavailable, to: admission.reply))
        startQueued(at: now, &actions)
    }

    /// Nobody waits for the answer: a request that has not started is dropped.
    public mutating func cancelled(_ id: RequestID, at now: Duration, _ actions: inout [Action]) {
        guard admissions[id]?.isRunning == false else { return }
        admissions[id] = nil
        queue.removeAll { $0 == id }
        stopIfDrained(&actions)
    }

    public mutating func drain(at now: Duration, _ actions: inout [Action]) {
        guard !isDraining else { return }
        isDraining = true
        actions.append(.leave)
    }

    /// No request can arrive any more.
    public mutating func left(_ actions: inout [Action]) {
        hasLeft = true
        stopIfDrained(&actions)
    }

    public mutating func ticked(at now: Duration, _ actions: inout [Action]) {
        for id in queue where admissions[id].map({ $0.deadline <= now }) == true {
            guard let admission = admissions.removeValue(forKey: id) else { continue }
            actions.append(.refuse(id, .expired, to: admission.reply))
        }
        queue.removeAll { admissions[$0] == nil }
        for id in inOrder {
            guard let admission = admissions[id], admission.nextSign <= now else { continue }
            actions.append(.sign(id, to: admission.reply))
            admissions[id]?.nextSign = now + timing.signInterval
        }
        stopIfDrained(&actions)
    }

    public var nextDeadline: Duration? {
        admissions.values.map { $0.isRunning ? $0.nextSign : min($0.nextSign, $0.deadline) }.min()
    }

    private mutating func startQueued(at now: Duration, _ actions: inout [Action]) {
        while running < capacity, let id = queue.popFirst() {
            guard let admission = admissions[id] else { continue }
            guard admission.deadline > now else {
                admissions[id] = nil
                actions.append(.refuse(id, .expired, to: admission.reply))
                continue
            }
            admissions[id]?.isRunning = true
            running += 1
            actions.append(.start(id))
        }
        stopIfDrained(&actions)
    }

    /// Ends a running request.
    private mutating func remove(_ id: RequestID) -> Admission? {
        guard let admission = admissions[id], admission.isRunning else { return nil }
        admissions[id] = nil
        running -= 1
        return admission
    }

    private mutating func stopIfDrained(_ actions: inout [Action]) {
        guard isDraining, hasLeft, !isStopped, admissions.isEmpty else { return }
        isStopped = true
        actions.append(.stopped)
    }

    /// A fixed order, so that a simulation repeats itself.
    private var inOrder: [RequestID] { admissions.keys.sorted { ($0.query, $0.call) < ($1.query, $1.call) } }
}
