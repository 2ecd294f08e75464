internal import DequeModule
internal import MessageBus

/// Which requests an instance takes, and how it tells their clients that it works on them.
///
/// A pure value: as many requests run as the instance has capacity, some more wait, and others are refused, so that their
/// clients ask another instance. The answer is the receipt; only a request that takes longer is confirmed, now and then,
/// by a sign of work.
struct AdmissionStateMachine: Sendable {
    /// A request as its client asks it: ids are known to others, and so a message with the same id and another subject for
    /// the answer is another request. A repetition has the same subject.
    struct Request: Sendable, Hashable {
        let id: RequestID
        /// The subject for the answer.
        let reply: String

        init(id: RequestID, reply: String) {
            self.id = id
            self.reply = reply
        }
    }

    enum Action: Sendable, Equatable {
        case start(Request)
        /// Tell the client that this instance works on its request.
        case sign(Request)
        case answer(Request)
        case refuse(Request, Refusal)
        /// Leave the queue group, and call `left` when the server has confirmed that: until then requests may arrive,
        /// which are refused.
        case leave
        /// Every request has its answer.
        case stopped
    }

    private struct Admission: Sendable {
        let deadline: Duration
        var nextSign: Duration
        var isRunning = false
    }

    private let timing: AdmissionTiming
    private let capacity: Int
    private var admissions: [Request: Admission] = [:]
    private var queue: Deque<Request> = []
    private var running = 0
    private var isDraining = false
    private var hasLeft = false
    private var isStopped = false

    /// - Parameter capacity: the number of requests that run at a time.
    init(capacity: Int, timing: AdmissionTiming = AdmissionTiming()) {
        self.capacity = capacity
        self.timing = timing
    }

    /// - Parameter deadline: after which the client no longer waits.
    mutating func received(
        _ request: Request, deadline: Duration, at now: Duration, _ actions: inout [Action]
    ) {
        if admissions[request] != nil {
            // The client has missed a sign of work, and asks again.
            admissions[request]?.nextSign = now + timing.signInterval
            return actions.append(.sign(request))
        }
        guard deadline > now else { return actions.append(.refuse(request, .expired)) }
        guard !isDraining else { return actions.append(.refuse(request, .unavailable)) }
        guard running < capacity || queue.count < timing.maxQueued else {
            return actions.append(.refuse(request, .overloaded))
        }
        admissions[request] = Admission(deadline: deadline, nextSign: now + timing.firstSign)
        queue.append(request)
        startQueued(at: now, &actions)
    }

    /// The handler has an answer.
    mutating func finished(_ request: Request, at now: Duration, _ actions: inout [Action]) {
        guard remove(request) else { return }
        actions.append(.answer(request))
        startQueued(at: now, &actions)
    }

    /// The handler returns the request undelivered: another instance may take it.
    mutating func returned(_ request: Request, at now: Duration, _ actions: inout [Action]) {
        guard remove(request) else { return }
        actions.append(.refuse(request, .unavailable))
        startQueued(at: now, &actions)
    }

    /// Nobody waits for the answer: a request that has not started is dropped.
    mutating func cancelled(_ request: Request, at now: Duration, _ actions: inout [Action]) {
        guard admissions[request]?.isRunning == false else { return }
        admissions[request] = nil
        queue.removeAll { $0 == request }
        stopIfDrained(&actions)
    }

    mutating func drain(at now: Duration, _ actions: inout [Action]) {
        guard !isDraining else { return }
        isDraining = true
        actions.append(.leave)
    }

    /// No request can arrive any more.
    mutating func left(_ actions: inout [Action]) {
        hasLeft = true
        stopIfDrained(&actions)
    }

    mutating func ticked(at now: Duration, _ actions: inout [Action]) {
        for request in queue where admissions[request].map({ $0.deadline <= now }) == true {
            admissions[request] = nil
            actions.append(.refuse(request, .expired))
        }
        queue.removeAll { admissions[$0] == nil }
        for request in inOrder {
            guard let admission = admissions[request], admission.nextSign <= now else { continue }
            actions.append(.sign(request))
            admissions[request]?.nextSign = now + timing.signInterval
        }
        stopIfDrained(&actions)
    }

    var nextDeadline: Duration? {
        admissions.values.map { $0.isRunning ? $0.nextSign : min($0.nextSign, $0.deadline) }.min()
    }

    private mutating func startQueued(at now: Duration, _ actions: inout [Action]) {
        while running < capacity, let request = queue.popFirst() {
            guard let admission = admissions[request] else { continue }
            guard admission.deadline > now else {
                admissions[request] = nil
                actions.append(.refuse(request, .expired))
                continue
            }
            admissions[request]?.isRunning = true
            running += 1
            actions.append(.start(request))
        }
        stopIfDrained(&actions)
    }

    /// Ends a request; false when it does not run.
    private mutating func remove(_ request: Request) -> Bool {
        guard admissions[request]?.isRunning == true else { return false }
        admissions[request] = nil
        running -= 1
        return true
    }

    private mutating func stopIfDrained(_ actions: inout [Action]) {
        guard isDraining, hasLeft, !isStopped, admissions.isEmpty else { return }
        isStopped = true
        actions.append(.stopped)
    }

    /// A fixed order, so that a simulation repeats itself.
    private var inOrder: [Request] {
        admissions.keys.sorted { ($0.id.query, $0.id.call, $0.reply) < ($1.id.query, $1.id.call, $1.reply) }
    }
}
