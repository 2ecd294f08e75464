internal import MessageBus

/// Sends each request to an instance of its service, and decides what follows when no answer comes.
///
/// A pure value: without a broker of ours, the client itself redelivers, avoids what has failed, and ends each request
/// exactly once. A queue group chooses the instance of a first attempt; the client chooses that of a later one among
/// those that answer an inquiry.
struct DispatchStateMachine: Sendable {
    enum Target: Sendable, Hashable {
        /// Any instance, chosen by the server.
        case group
        case instance(String)
    }

    enum Ending: Sendable, Equatable {
        case refused(Refusal, attempts: UInt8)
        case deadlinePassed
        /// There was no connection to a server for too long, or it was lost after a request that must not be repeated.
        case serverLost
    }

    enum Action: Sendable, Equatable {
        case send(RequestID, to: Target, attempt: UInt8)
        /// Ask which instances of the service there are; `instances` follows, or nothing.
        case inquire(service: String)
        /// Nobody waits for the answer any more.
        case cancel(RequestID, at: Target)
        case end(RequestID, Ending)
    }

    private enum Phase: Sendable {
        case disconnected
        /// Sent, with the time of the last sign.
        case sent(Target, since: Duration)
        /// No instance took it; it is sent again later.
        case withoutInstance(since: Duration, again: Duration)
        /// Waits for the instances of its service.
        case inquiring(since: Duration)
    }

    private struct Request: Sendable {
        let service: String
        let isIdempotent: Bool
        let deadline: Duration
        var phase = Phase.disconnected
        var attempts: UInt8 = 0
        /// The instance that works on it, once it has said so.
        var instance: String?
        /// The instances whose queues are full.
        var overloaded: Set<String> = []
        /// Those that answered an inquiry and did not take the request: they end.
        var absent: Set<String> = []
        /// Since when no instance of its service has been found; kept over the repetitions.
        var withoutInstanceSince: Duration?

        var isDisconnected: Bool {
            if case .disconnected = phase { true } else { false }
        }
    }

    private let timing: DispatchTiming
    private var requests: [RequestID: Request] = [:]
    /// Until when each suspect is avoided.
    private var suspects: [String: Duration] = [:]
    private var disconnectedSince: Duration?

    init(timing: DispatchTiming = DispatchTiming(), at now: Duration) {
        self.timing = timing
        disconnectedSince = now
    }

    /// Requests that have not ended.
    var openRequests: Int { requests.count }

    // MARK: The connection

    mutating func connected(at now: Duration, _ actions: inout [Action]) {
        guard disconnectedSince != nil else { return }
        disconnectedSince = nil
        for id in inOrder where requests[id]?.isDisconnected == true { send(id, at: now, &actions) }
    }

    /// Requests that may be repeated wait for the next connection.
    mutating func disconnected(at now: Duration, _ actions: inout [Action]) {
        guard disconnectedSince == nil else { return }
        disconnectedSince = now
        for id in inOrder {
            guard var request = requests[id] else { continue }
            if case .sent = request.phase {
                guard request.isIdempotent else {
                    end(id, .serverLost, &actions)
                    continue
                }
                // Nobody may have received it, unless an instance has said so.
                if request.instance == nil { request.attempts -= 1 }
            }
            request.phase = .disconnected
            request.instance = nil
            requests[id] = request
        }
    }

    // MARK: Requests

    /// A new request; `id` has not been used before.
    mutating func requested(
        _ id: RequestID, service: String, isIdempotent: Bool, deadline: Duration, at now: Duration,
        _ actions: inout [Action]
    ) {
        guard deadline > now else { return actions.append(.end(id, .deadlinePassed)) }
        requests[id] = Request(service: service, isIdempotent: isIdempotent, deadline: deadline)
        if disconnectedSince == nil { send(id, at: now, &actions) }
    }

    /// The answer has arrived; false when its caller no longer waits.
    mutating func answered(_ id: RequestID) -> Bool {
        requests.removeValue(forKey: id) != nil
    }

    /// The caller has cancelled the request; it gets no ending.
    mutating func cancelled(_ id: RequestID, _ actions: inout [Action]) {
        guard let request = requests.removeValue(forKey: id), case .sent(let target, _) = request.phase else { return }
        actions.append(.cancel(id, at: request.instance.map(Target.instance) ?? target))
    }

    /// An instance works on the request.
    mutating func working(_ id: RequestID, at instance: String, now: Duration) {
        guard case .sent(let target, _)? = requests[id]?.phase else { return }
        requests[id]?.instance = instance
        requests[id]?.withoutInstanceSince = nil
        requests[id]?.phase = .sent(target, since: now)
    }

    mutating func refused(
        _ id: RequestID, _ refusal: Refusal, by instance: String, at now: Duration, _ actions: inout [Action]
    ) {
        guard let request = requests[id], case .sent(let target, _) = request.phase else { return }
        // A late refusal of an earlier attempt says nothing about this one.
        let expected = request.instance.map(Target.instance) ?? target
        guard expected == .group || expected == .instance(instance) else { return }
        // An instance that ends has returned it.
        if refusal == .unavailable { return foundNoInstance(for: id, at: now, &actions) }
        guard refusal == .overloaded else {
            return end(id, .refused(refusal, attempts: request.attempts), &actions)
        }
        requests[id]?.overloaded.insert(instance)
        requests[id]?.withoutInstanceSince = nil
        // It was not worked on, so the attempt does not count.
        requests[id]?.attempts -= 1
        inquire(id, at: now, &actions)
    }

    /// The subject to which the request was sent has no subscriber, or one that ends.
    mutating func foundNoInstance(for id: RequestID, at now: Duration, _ actions: inout [Action]) {
        guard let request = requests[id], case .sent(let target, _) = request.phase else { return }
        requests[id]?.attempts -= 1
        guard case .instance(let instance) = target else { return wait(id, at: now) }
        requests[id]?.absent.insert(instance)
        inquire(id, at: now, &actions)
    }

    /// Waits for an instance that takes the request.
    private mutating func wait(_ id: RequestID, at now: Duration) {
        let since = requests[id]?.withoutInstanceSince ?? now
        requests[id]?.withoutInstanceSince = since
        requests[id]?.absent = []
        requests[id]?.phase = .withoutInstance(since: since, again: now + timing.repetition)
    }

    // MARK: Instances

    /// The instances of a service that answered the inquiry.
    mutating func instances(
        _ instances: [String], of service: String, at now: Duration, _ actions: inout [Action]
    ) {
        for id in inOrder {
            guard let request = requests[id], request.service == service, case .inquiring = request.phase else {
                continue
            }
            let present = instances.filter { !request.absent.contains($0) }
            let free = present.filter { !request.overloaded.contains($0) }
            // A suspect that answers is better than none: perhaps its request was lost on the way.
            let preferred = free.filter { !isSuspect($0, at: now) }
            if let instance = choice(among: preferred.isEmpty ? free : preferred, for: id) {
                send(id, to: .instance(instance), at: now, &actions)
            } else if present.isEmpty, !instances.isEmpty {
                wait(id, at: now)
            } else if !present.isEmpty {
                end(id, .refused(.overloaded, attempts: request.attempts), &actions)
            }
        }
    }

    /// Spreads requests over the instances, in the same way in each run.
    private func choice(among instances: [String], for id: RequestID) -> String? {
        guard !instances.isEmpty else { return nil }
        return instances.sorted()[Int((id.call &+ UInt64(requests[id]?.attempts ?? 0)) % UInt64(instances.count))]
    }

    private func isSuspect(_ instance: String, at now: Duration) -> Bool {
        suspects[instance].map { $0 > now } ?? false
    }

    // MARK: Time

    mutating func ticked(at now: Duration, _ actions: inout [Action]) {
        suspects = suspects.filter { $0.value > now }
        if let since = disconnectedSince, since + timing.serverGrace <= now {
            for id in inOrder { end(id, .serverLost, &actions) }
        }
        for id in inOrder {
            guard let request = requests[id] else { continue }
            guard request.deadline > now else {
                end(id, .deadlinePassed, &actions)
                continue
            }
            switch request.phase {
            case .disconnected: break
            case .sent(_, let since):
                if since + timing.silence <= now { lost(id, request, at: now, &actions) }
            case .withoutInstance(let since, let again):
                if since + timing.noInstanceGrace <= now {
                    end(id, .refused(.unavailable, attempts: request.attempts), &actions)
                } else if again <= now {
                    send(id, at: now, &actions)
                }
            case .inquiring(let since):
                guard since + timing.inquiry <= now else { continue }
                if request.overloaded.isEmpty {
                    // Nobody has answered: another instance may begin soon.
                    wait(id, at: now)
                } else {
                    end(id, .refused(.overloaded, attempts: request.attempts), &actions)
                }
            }
        }
    }

    var nextDeadline: Duration? {
        let due = requests.values.map { request in
            switch request.phase {
            case .disconnected: request.deadline
            case .sent(_, let since): min(request.deadline, since + timing.silence)
            case .withoutInstance(let since, let again):
                min(request.deadline, again, since + timing.noInstanceGrace)
            case .inquiring(let since): min(request.deadline, since + timing.inquiry)
            }
        }
        guard let earliest = due.min() else { return nil }
        return disconnectedSince.map { min(earliest, $0 + timing.serverGrace) } ?? earliest
    }

    // MARK: Sending

    /// To the group, or to an instance of the client's choice while one of the service's instances is suspect.
    private mutating func send(_ id: RequestID, at now: Duration, _ actions: inout [Action]) {
        guard let request = requests[id] else { return }
        if suspects.contains(where: { $0.key.hasPrefix("\(request.service)/") && $0.value > now }) {
            inquire(id, at: now, &actions)
        } else {
            send(id, to: .group, at: now, &actions)
        }
    }

    private mutating func send(
        _ id: RequestID, to target: Target, at now: Duration, _ actions: inout [Action]
    ) {
        guard var request = requests[id] else { return }
        // After a pause of this process, what arrived meanwhile is handled before the time.
        guard request.deadline > now else { return end(id, .deadlinePassed, &actions) }
        guard request.attempts < timing.maxAttempts else {
            return end(id, .refused(.workerLost, attempts: request.attempts), &actions)
        }
        request.attempts += 1
        request.instance = nil
        request.phase = .sent(target, since: now)
        requests[id] = request
        actions.append(.send(id, to: target, attempt: request.attempts))
    }

    private mutating func inquire(_ id: RequestID, at now: Duration, _ actions: inout [Action]) {
        guard let service = requests[id]?.service else { return }
        requests[id]?.phase = .inquiring(since: now)
        actions.append(.inquire(service: service))
    }

    /// The instance of the request gave no sign for too long.
    private mutating func lost(
        _ id: RequestID, _ request: Request, at now: Duration, _ actions: inout [Action]
    ) {
        let until = now + timing.avoidance
        switch request.phase {
        case .sent(.instance(let instance), _): suspects[instance] = until
        // One of the group; which one is unknown.
        case .sent(.group, _) where request.instance == nil: suspects["\(request.service)/"] = until
        default: break
        }
        if let instance = request.instance { suspects[instance] = until }
        requests[id]?.withoutInstanceSince = nil
        // Three instances that fall silent are more likely lost by the request than by chance.
        guard request.isIdempotent, request.attempts < timing.maxAttempts else {
            return end(id, .refused(.workerLost, attempts: request.attempts), &actions)
        }
        inquire(id, at: now, &actions)
    }

    private mutating func end(_ id: RequestID, _ ending: Ending, _ actions: inout [Action]) {
        if requests.removeValue(forKey: id) != nil { actions.append(.end(id, ending)) }
    }

    /// A fixed order, so that a simulation repeats itself.
    private var inOrder: [RequestID] { requests.keys.sorted { ($0.query, $0.call) < ($1.query, $1.call) } }
}
