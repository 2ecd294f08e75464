internal import DequeModule

/// The worker side as a value without input and output: registration, heartbeats, requests in flight, and draining.
public struct WorkerStateMachine: Sendable {
    public enum Action: Sendable, Equatable {
        case send([Frame])
        /// A request to process; report its end with `answered`, even if its connection has ended by then.
        case deliver(Delivery)
        /// Close the socket and connect a new one; call `opened` when that has reached the broker.
        case reopen
        /// The end: the worker has drained and sent DISCONNECT, or it was dismissed.
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
        /// The broker has expelled this worker: it sends nothing more on this connection and reconnects after a pause.
        case expelled(until: Duration)
        case stopped
    }

    private let timing: MajordomoTiming
    private let service: Frame
    private let options: WorkerOptions
    private let version: MajordomoVersion
    /// READY carries no options, because the broker is a plain one. A broker of 0.1 always is.
    private var isPlain: Bool
    private var isAgreed = false
    /// Consecutive trials in which the broker did not agree to the options. A single failure may be caused by a
    /// suspended broker or a dead connection; treating our own broker as a plain one would limit this worker to one
    /// request at a time.
    private var failedTrials = 0
    private static let trials = 2
    /// The deliveries of this connection without an answer.
    private var inFlight: [Work: UInt64] = [:]
    /// Deliveries in progress, including those of earlier connections, of which the broker has no record.
    private var begun: Set<UInt64> = []
    /// Deliveries in flight that exceed the capacity.
    private var waiting = Deque<Delivery>()
    private var lastDelivery: UInt64 = 0
    private var isDraining = false
    /// The broker has granted the drain: all its dispatches have arrived before the answer.
    private var isDrainGranted = false
    /// Why the broker has dismissed this worker; nil if it has not.
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

    /// The new socket has reached the broker: registers on it. Tickets of the old connection are invalid.
    ///
    /// Do not call it earlier: a slow broker would be treated as a plain one.
    public mutating func opened(at now: Duration) -> [Action] {
        // Drained while connecting: the owner closes the new socket too.
        guard phase != .stopped else { return [.stopped] }
        phase = .registered
        forgetTickets()
        isAgreed = false
        (openedAt, lastHeard, lastAwake) = (now, now, now)
        return send(.ready(service: service, extra: isPlain ? [] : [options.encoded]), at: now)
    }

    /// The connection is lost. The next one may lead to another broker, so the options are tried again.
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
            if extra.first == BrokerStateMachine.drainFrame { isDrainGranted = true }
            return stopIfDrained(at: now)
        case .disconnect(let reason):
            forgetTickets()
            guard !isDraining else { return stop() }
            dismissal = reason.first.flatMap { WorkerDismissal(rawValue: $0.text) }
            guard dismissal == nil else { return stop() }
            phase = .expelled(until: now + interval)
            // A plain broker rejects our READY and disconnects the worker at once or at its first heartbeat.
            if !isAgreed, reason.isEmpty { recordFailedTrial() }
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

    /// Starts as many deliveries as the capacity allows; work of earlier connections uses capacity too.
    private mutating func begin() -> [Action] {
        var actions: [Action] = []
        while begun.count < options.capacity, let next = waiting.popFirst() {
            begun.insert(next.number)
            actions.append(.deliver(next))
        }
        return actions
    }

    /// The work on a request is done. A reply for an earlier connection is dropped.
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

    /// The work on a request has ended without a reply. The broker keeps the request assigned to this worker until the
    /// worker leaves, and then redelivers it.
    public mutating func returned(_ delivery: Delivery, at now: Duration) -> [Action] {
        guard begun.remove(delivery.number) != nil else { return [] }
        if inFlight[work(of: delivery)] == delivery.number { inFlight[work(of: delivery)] = nil }
        return begin() + stopIfDrained(at: now)
    }

    /// Finishes the requests that are in flight or on their way, takes no more, then stops.
    public mutating func drain(at now: Duration) -> [Action] {
        guard !isDraining else { return [] }
        isDraining = true
        guard phase == .registered else { return stop() }
        let farewell = stopIfDrained(at: now)
        return farewell.isEmpty ? heartbeat(at: now) : farewell
    }

    /// A plain broker does not answer a drain.
    private mutating func stopIfDrained(at now: Duration) -> [Action] {
        guard isDraining, inFlight.isEmpty, isDrainGranted || isPlain else { return [] }
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
            // A broker without our options ignores or rejects them: register as a plain worker of RFC 18.
            // If it has registered this worker, it must not dispatch requests to the closed socket: send DISCONNECT.
            recordFailedTrial()
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

    /// The loop was suspended longer than the silence limit (a stopped process, swap): the requests are redelivered by
    /// now.
    private func wasSuspended(at now: Duration) -> Bool {
        now - lastAwake > silenceLimit
    }

    /// A plain broker gets no drain frame: at capacity 1 it dispatches nothing until the answer.
    private mutating func heartbeat(at now: Duration) -> [Action] {
        send(.heartbeat(extra: isDraining && !isPlain ? [BrokerStateMachine.drainFrame] : []), at: now)
    }

    private mutating func recordFailedTrial() {
        guard !isPlain else { return }
        failedTrials += 1
        isPlain = failedTrials == Self.trials
    }

    private mutating func tryOptionsAgain() {
        isPlain = version == .v01
        failedTrials = 0
    }

    /// The broker has redelivered these requests; work that has begun goes on.
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
