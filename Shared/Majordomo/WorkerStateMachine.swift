internal import DequeModule

/// The worker side as a pure value: registration, heartbeats, what is in flight, and draining.
public struct WorkerStateMachine: Sendable {
    public enum Action: Sendable, Equatable {
        case send([Frame])
        /// A request to work on; answer with `answered`, even if its connection is gone by then.
        case deliver(Delivery)
        /// Close the socket and connect a new one; call `opened` when that has reached the broker.
        case reopen
        /// The end: drained, so that nothing is in flight and the broker knows that this worker is gone, or dismissed.
        case stopped
    }

    /// A request as it reached the worker.
    public struct Delivery: Sendable, Equatable {
        public let ticket: Frame
        /// Nil for the body of a plain client.
        public let control: ControlFrame?
        public let content: [Frame]
        /// When the caller stops waiting, on this worker's clock.
        public let deadline: Duration
        fileprivate let number: UInt64
    }

    /// A plain broker's ticket is the client's address, the same in every request of that client.
    private struct Work: Sendable, Hashable {
        let ticket: Frame
        let id: RequestID?
    }

    private enum Phase: Sendable, Equatable {
        /// Waits for `opened`.
        case unconnected
        case registered
        /// The broker forgot or expelled us: not a word more on this connection, and a new one after a pause.
        case expelled(until: Duration)
        case stopped
    }

    private let timing: MajordomoTiming
    private let service: Frame
    private let options: WorkerOptions
    private let version: MajordomoVersion
    /// What READY said: our options, or nothing once the broker turned out to be a plain one. So is one of 0.1.
    private var isPlain: Bool
    private var isAgreed = false
    /// How often in a row the options got no agreement. Once may mean a broker that stood still, or a connection that was
    /// dead already: a broker of ours, taken for a plain one, would give this worker one request at a time ever after.
    private var failedTrials = 0
    private static let trials = 2
    /// The deliveries of this connection that have no answer yet.
    private var inFlight: [Work: UInt64] = [:]
    /// What is being worked on, also for earlier connections: the broker knows nothing of these.
    private var begun: Set<UInt64> = []
    /// What is in flight and has found no room yet.
    private var waiting = Deque<Delivery>()
    private var lastDelivery: UInt64 = 0
    private var isDraining = false
    /// The broker has answered our drain: it had handed out all that it would, and that has come before the answer.
    private var isDrainHeard = false
    /// Why the broker wants to hear no more of this worker; nil unless it said so.
    public private(set) var dismissal: WorkerDismissal?
    private var phase = Phase.unconnected
    private var openedAt: Duration
    private var lastHeard: Duration
    private var lastSent: Duration
    private var lastAwake: Duration

    public init(
        service: Frame, options: WorkerOptions, timing: MajordomoTiming = MajordomoTiming(),
        version: MajordomoVersion = .v02, at now: Duration
    ) {
        self.service = service
        self.options = options
        self.timing = timing
        self.version = version
        isPlain = version == .v01
        (openedAt, lastHeard, lastSent, lastAwake) = (now, now, now, now)
    }

    private var interval: Duration { isPlain ? timing.plainHeartbeatInterval : options.heartbeatInterval }
    private var silenceLimit: Duration { interval * timing.liveness }

    /// The new socket has reached the broker: register on it. Tickets of the old connection are worthless.
    ///
    /// Not before: a broker that is only late would be taken for a plain one.
    public mutating func opened(at now: Duration) -> [Action] {
        // Told to drain while it was connecting: its owner closes the new socket too.
        guard phase != .stopped else { return [.stopped] }
        phase = .registered
        forgetTickets()
        isAgreed = false
        (openedAt, lastHeard, lastAwake) = (now, now, now)
        return send(.ready(service: service, extra: isPlain ? [] : [options.encoded]), at: now)
    }

    /// The connection is gone. The next one may lead to another broker, so the options are tried again.
    public mutating func disconnected(at now: Duration) -> [Action] {
        guard phase != .stopped, phase != .unconnected else { return [] }
        tryOptionsAgain()
        return reopen()
    }

    public mutating func received(_ frames: [Frame], at now: Duration) -> [Action] {
        guard phase == .registered, let message = WorkerMessage.fromBroker(frames) else { return [] }
        if wasSuspended(at: now) { return reopen() }
        (lastHeard, lastAwake) = (now, now)
        switch message {
        case .request(let ticket, let body):
            let delivery = delivery(ticket, body, number: lastDelivery + 1, at: now)
            guard inFlight[work(of: delivery)] == nil else { return [] }
            lastDelivery += 1
            inFlight[work(of: delivery)] = lastDelivery
            waiting.append(delivery)
            return begin()
        case .heartbeat(let extra):
            if extra.first.flatMap(WorkerOptions.init) != nil { (isAgreed, failedTrials) = (true, 0) }
            if extra.first == BrokerStateMachine.drainFrame { isDrainHeard = true }
            return stopIfDrained(at: now)
        case .disconnect(let reason):
            forgetTickets()
            guard !isDraining else { return stop() }
            dismissal = reason.first.flatMap { WorkerDismissal(rawValue: $0.text) }
            guard dismissal == nil else { return stop() }
            phase = .expelled(until: now + interval)
            // A plain broker cannot read our READY, and ends the connection at once or with the first heartbeat.
            if !isAgreed, reason.isEmpty { optionsFailed() }
            return []
        case .ready, .partial, .final:
            return []
        }
    }

    private func delivery(_ ticket: Frame, _ body: [Frame], number: UInt64, at now: Duration) -> Delivery {
        guard case .control(let control) = ControlFrame.read(body.first) else {
            return Delivery(
                ticket: ticket, control: nil, content: body, deadline: now + timing.plainDeadline, number: number)
        }
        return Delivery(
            ticket: ticket, control: control, content: Array(body.dropFirst()),
            deadline: now + .milliseconds(Int64(control.remainingMilliseconds)), number: number)
    }

    private func work(of delivery: Delivery) -> Work {
        Work(ticket: delivery.ticket, id: delivery.control?.id)
    }

    /// As many as there is room for: work of an earlier connection goes on, and takes room of this one.
    private mutating func begin() -> [Action] {
        var actions: [Action] = []
        while begun.count < options.capacity, let next = waiting.popFirst() {
            begun.insert(next.number)
            actions.append(.deliver(next))
        }
        return actions
    }

    /// The work on a request is done. A reply for a connection that is gone is dropped.
    public mutating func answered(_ delivery: Delivery, with content: [Frame], at now: Duration) -> [Action] {
        guard begun.remove(delivery.number) != nil else { return [] }
        if phase == .registered, wasSuspended(at: now) { return reopen() }
        let next = begin()
        guard inFlight[work(of: delivery)] == delivery.number else { return next }
        inFlight[work(of: delivery)] = nil
        let control = delivery.control.map { [ControlFrame(id: $0.id).encoded()] } ?? []
        let reply = send(.final(ticket: delivery.ticket, body: control + content), at: now)
        return reply + next + stopIfDrained(at: now)
    }

    /// The work on a request has ended without a reply. The broker keeps the request as this worker's until the worker
    /// leaves, and then hands it to another.
    public mutating func returned(_ delivery: Delivery, at now: Duration) -> [Action] {
        guard begun.remove(delivery.number) != nil else { return [] }
        if inFlight[work(of: delivery)] == delivery.number { inFlight[work(of: delivery)] = nil }
        return begin() + stopIfDrained(at: now)
    }

    /// Take no more requests, end what is in flight and what is on its way, then stop.
    public mutating func drain(at now: Duration) -> [Action] {
        guard !isDraining else { return [] }
        isDraining = true
        guard phase == .registered else { return stop() }
        let farewell = stopIfDrained(at: now)
        return farewell.isEmpty ? heartbeat(at: now) : farewell
    }

    /// A plain broker has no answer to wait for.
    private mutating func stopIfDrained(at now: Duration) -> [Action] {
        guard isDraining, inFlight.isEmpty, isDrainHeard || isPlain else { return [] }
        return send(.disconnect(extra: []), at: now) + stop()
    }

    public mutating func ticked(at now: Duration) -> [Action] {
        switch phase {
        case .unconnected, .stopped: return []
        case .expelled(let end): return end <= now ? reopen() : []
        case .registered: break
        }
        if wasSuspended(at: now) { return reopen() }
        lastAwake = now
        if lastHeard + silenceLimit <= now {
            tryOptionsAgain()
            return reopen()
        }
        if !isAgreed, !isPlain, openedAt + timing.agreementTimeout <= now {
            // A broker that does not know our options ignores them or worse: register as RFC 18 has it.
            // If it has registered us all the same, it must not hand requests to a socket that nobody reads.
            optionsFailed()
            return send(.disconnect(extra: []), at: now) + reopen()
        }
        return lastSent + interval <= now ? heartbeat(at: now) : []
    }

    public var nextDeadline: Duration? {
        switch phase {
        case .unconnected, .stopped: return nil
        case .expelled(let end): return end
        case .registered: break
        }
        let next = min(lastSent + interval, lastHeard + silenceLimit)
        return isAgreed || isPlain ? next : min(next, openedAt + timing.agreementTimeout)
    }

    /// The loop stood still longer than the broker waits (a stopped process, swap): it has given our requests away.
    private func wasSuspended(at now: Duration) -> Bool {
        now - lastAwake > silenceLimit
    }

    /// A plain broker is told nothing of draining: at capacity 1 it hands out no more until the answer.
    private mutating func heartbeat(at now: Duration) -> [Action] {
        send(.heartbeat(extra: isDraining && !isPlain ? [BrokerStateMachine.drainFrame] : []), at: now)
    }

    private mutating func optionsFailed() {
        guard !isPlain else { return }
        failedTrials += 1
        isPlain = failedTrials == Self.trials
    }

    private mutating func tryOptionsAgain() {
        isPlain = version == .v01
        failedTrials = 0
    }

    /// What they stand for is another worker's by now; what has begun ends all the same.
    private mutating func forgetTickets() {
        inFlight = [:]
        waiting = []
    }

    private mutating func reopen() -> [Action] {
        forgetTickets()
        phase = .unconnected
        return isDraining ? stop() : [.reopen]
    }

    private mutating func stop() -> [Action] {
        phase = .stopped
        return [.stopped]
    }

    private mutating func send(_ message: WorkerMessage, at now: Duration) -> [Action] {
        lastSent = now
        return message.encoded(version).map { [.send($0)] } ?? []
    }
}
