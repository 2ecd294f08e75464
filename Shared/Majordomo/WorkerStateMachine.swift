/// The worker side as a pure value: registration, heartbeats, what is in flight, and draining.
public struct WorkerStateMachine: Sendable {
    public enum Action: Sendable, Equatable {
        case send([Frame])
        /// A request to work on; answer with `answered`.
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
    private let version = MajordomoVersion.v02
    /// What READY said: our options, or nothing once the broker turned out to be a plain one.
    private var isPlain = false
    private var isAgreed = false
    private var inFlight: Set<Frame> = []
    private var isDraining = false
    /// Why the broker wants to hear no more of this worker; nil unless it said so.
    public private(set) var dismissal: WorkerDismissal?
    private var phase = Phase.unconnected
    private var openedAt: Duration
    private var lastHeard: Duration
    private var lastSent: Duration
    private var lastAwake: Duration

    public init(service: Frame, options: WorkerOptions, timing: MajordomoTiming = MajordomoTiming(), at now: Duration) {
        self.service = service
        self.options = options
        self.timing = timing
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
        inFlight = []
        isAgreed = false
        (openedAt, lastHeard, lastAwake) = (now, now, now)
        return send(.ready(service: service, extra: isPlain ? [] : [options.encoded]), at: now)
    }

    /// The connection is gone. The next one may lead to another broker, so the options are tried again.
    public mutating func disconnected(at now: Duration) -> [Action] {
        guard phase != .stopped, phase != .unconnected else { return [] }
        isPlain = false
        return reopen()
    }

    public mutating func received(_ frames: [Frame], at now: Duration) -> [Action] {
        guard phase == .registered, let message = WorkerMessage.fromBroker(frames) else { return [] }
        if hasStoodStill(at: now) { return reopen() }
        (lastHeard, lastAwake) = (now, now)
        switch message {
        case .request(let ticket, let body):
            guard !inFlight.contains(ticket) else { return [] }
            inFlight.insert(ticket)
            return [.deliver(delivery(ticket, body, at: now))]
        case .heartbeat(let extra):
            if extra.first.flatMap(WorkerOptions.init) != nil { isAgreed = true }
            return []
        case .disconnect(let extra):
            inFlight = []
            guard !isDraining else { return stop() }
            dismissal = extra.first.flatMap { WorkerDismissal(rawValue: $0.text) }
            guard dismissal == nil else { return stop() }
            phase = .expelled(until: now + interval)
            return []
        case .ready, .partial, .final:
            return []
        }
    }

    private func delivery(_ ticket: Frame, _ body: [Frame], at now: Duration) -> Delivery {
        guard case .control(let control) = ControlFrame.read(body.first) else {
            return Delivery(ticket: ticket, control: nil, content: body, deadline: now + timing.plainDeadline)
        }
        return Delivery(
            ticket: ticket, control: control, content: Array(body.dropFirst()),
            deadline: now + .milliseconds(Int64(control.remainingMilliseconds)))
    }

    /// The work on a request is done. A reply for a connection that is gone is dropped.
    public mutating func answered(_ delivery: Delivery, with content: [Frame], at now: Duration) -> [Action] {
        guard inFlight.remove(delivery.ticket) != nil else { return [] }
        let control = delivery.control.map { [ControlFrame(id: $0.id).encoded()] } ?? []
        let reply = send(.final(ticket: delivery.ticket, body: control + content), at: now)
        return reply + (isDraining && inFlight.isEmpty ? stop(at: now) : [])
    }

    /// Take no more requests, end what is in flight, then stop.
    public mutating func drain(at now: Duration) -> [Action] {
        guard !isDraining else { return [] }
        isDraining = true
        guard phase == .registered else { return stop() }
        return inFlight.isEmpty ? stop(at: now) : heartbeat(at: now)
    }

    public mutating func ticked(at now: Duration) -> [Action] {
        switch phase {
        case .unconnected, .stopped: return []
        case .expelled(let end): return end <= now ? reopen() : []
        case .registered: break
        }
        if hasStoodStill(at: now) { return reopen() }
        lastAwake = now
        if lastHeard + silenceLimit <= now {
            isPlain = false
            return reopen()
        }
        if !isAgreed, !isPlain, openedAt + timing.agreementTimeout <= now {
            // A broker that does not know our options ignores them or worse: register as RFC 18 has it.
            isPlain = true
            return reopen()
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
    private func hasStoodStill(at now: Duration) -> Bool {
        now - lastAwake > silenceLimit
    }

    /// A plain broker is told nothing of draining: at capacity 1 it hands out no more until the answer.
    private mutating func heartbeat(at now: Duration) -> [Action] {
        send(.heartbeat(extra: isDraining && !isPlain ? [BrokerStateMachine.drainFrame] : []), at: now)
    }

    private mutating func reopen() -> [Action] {
        inFlight = []
        phase = .unconnected
        return isDraining ? stop() : [.reopen]
    }

    private mutating func stop(at now: Duration) -> [Action] {
        send(.disconnect(extra: []), at: now) + stop()
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
