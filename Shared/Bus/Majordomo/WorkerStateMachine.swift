internal import DequeModule
public import MessageBus

/// The worker side as a value without input and output: registration, heartbeats, requests in flight, and draining.
public struct WorkerStateMachine: Sendable {
    public enum Action: Sendable, Equatable {
        case send(PeerMessage)
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
        public let content: ArraySlice<Frame>
        /// When the caller stops waiting, on this worker's clock.
        public let deadline: Duration
        /// What the broker says about the caller (`ControlFrame.role`); 3 from a broker that knows no roles.
        public let role: UInt8
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
    /// Stored, since a product of durations takes a third of a microsecond.
    private let ownSilenceLimit: Duration
    private let plainSilenceLimit: Duration
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
        ownSilenceLimit = options.heartbeatInterval * timing.liveness
        plainSilenceLimit = timing.plainHeartbeatInterval * timing.liveness
        (openedAt, lastHeard, lastSent, lastAwake) = (now, now, now, now)
    }

    private var interval: Duration { isPlain ? timing.plainHeartbeatInterval : options.heartbeatInterval }
    private var silenceLimit: Duration { isPlain ? plainSilenceLimit : ownSilenceLimit }

    /// The new socket has reached the broker: registers on it. Tickets of the old connection are invalid.
    ///
    /// Do not call it earlier: a slow broker would be treated as a plain one.
    public mutating func opened(at now: Duration, _ actions: inout [Action]) {
        // Drained while connecting: the owner closes the new socket too.
        guard phase != .stopped else { return actions.append(.stopped) }
        phase = .registered
        forgetTickets()
        isAgreed = false
        (openedAt, lastHeard, lastAwake) = (now, now, now)
        send(.ready(service: service, extra: isPlain ? [] : [options.encoded]), at: now, &actions)
    }

    /// The connection is lost. The next one may lead to another broker, so the options are tried again.
    public mutating func disconnected(at now: Duration, _ actions: inout [Action]) {
        guard phase != .stopped, phase != .unconnected else { return }
        tryOptionsAgain()
        reopen(&actions)
    }

    public mutating func received(_ frames: [Frame], at now: Duration, _ actions: inout [Action]) {
        guard phase == .registered, let message = WorkerMessage.fromBroker(frames) else { return }
        if wasSuspended(at: now) { return reopen(&actions) }
        (lastHeard, lastAwake) = (now, now)
        switch message {
        case .request(let ticket, let body):
            let delivery = delivery(ticket, body, number: lastDelivery + 1, at: now)
            guard inFlight[work(of: delivery)] == nil else { return }
            lastDelivery += 1
            inFlight[work(of: delivery)] = lastDelivery
            waiting.append(delivery)
            begin(&actions)
        case .heartbeat(let extra):
            if extra.first.flatMap(WorkerOptions.init) != nil { (isAgreed, failedTrials) = (true, 0) }
            if extra.first == WorkerMessage.drainFrame { isDrainGranted = true }
            stopIfDrained(at: now, &actions)
        case .disconnect(let reason):
            forgetTickets()
            guard !isDraining else { return stop(&actions) }
            dismissal = reason.first.flatMap { WorkerDismissal(rawValue: $0.text) }
            guard dismissal == nil else { return stop(&actions) }
            phase = .expelled(until: now + interval)
            // A plain broker rejects our READY and disconnects the worker at once or at its first heartbeat.
            if !isAgreed, reason.isEmpty { recordFailedTrial() }
        case .ready, .partial, .final: break
        }
    }

    private func delivery(_ ticket: Frame, _ body: MessageBody, number: UInt64, at now: Duration) -> Delivery {
        let time = body.control.map { .milliseconds(Int64($0.remainingMilliseconds)) } ?? timing.plainDeadline
        return Delivery(
            ticket: ticket, control: body.control, content: body.content, deadline: now + time,
            role: role(of: body), number: number)
    }

    private func role(of body: MessageBody) -> UInt8 {
        if isPlain { return 3 }
        // Our broker marks each request that has a control frame.
        return max(body.control?.role ?? 0, 1)
    }

    private func work(of delivery: Delivery) -> Work {
        Work(ticket: delivery.ticket, id: delivery.control?.id)
    }

    /// Starts as many deliveries as the capacity allows; work of earlier connections uses capacity too.
    private mutating func begin(_ actions: inout [Action]) {
        while begun.count < options.capacity, let next = waiting.popFirst() {
            begun.insert(next.number)
            actions.append(.deliver(next))
        }
    }

    /// The work on a request is done. A reply for an earlier connection is dropped.
    public mutating func answered(
        _ delivery: Delivery, with content: [Frame], at now: Duration, _ actions: inout [Action]
    ) {
        guard begun.remove(delivery.number) != nil else { return }
        if phase == .registered, wasSuspended(at: now) { return reopen(&actions) }
        let place = inFlight.index(forKey: work(of: delivery)).flatMap {
            inFlight.values[$0] == delivery.number ? $0 : nil
        }
        if let place {
            inFlight.remove(at: place)
            let control = delivery.control.map { ControlFrame(id: $0.id) }
            let body = MessageBody(control: control, content: content[...])
            send(.final(ticket: delivery.ticket, body: body), at: now, &actions)
        }
        begin(&actions)
        if place != nil { stopIfDrained(at: now, &actions) }
    }

    /// The work on a request has ended without a reply. The broker keeps the request assigned to this worker until the
    /// worker leaves, and then redelivers it.
    public mutating func returned(_ delivery: Delivery, at now: Duration, _ actions: inout [Action]) {
        guard begun.remove(delivery.number) != nil else { return }
        if inFlight[work(of: delivery)] == delivery.number { inFlight[work(of: delivery)] = nil }
        begin(&actions)
        stopIfDrained(at: now, &actions)
    }

    /// Finishes the requests that are in flight or on their way, takes no more, then stops.
    public mutating func drain(at now: Duration, _ actions: inout [Action]) {
        guard !isDraining else { return }
        isDraining = true
        guard phase == .registered else { return stop(&actions) }
        stopIfDrained(at: now, &actions)
        if phase != .stopped { heartbeat(at: now, &actions) }
    }

    /// A plain broker does not answer a drain.
    private mutating func stopIfDrained(at now: Duration, _ actions: inout [Action]) {
        guard isDraining, inFlight.isEmpty, isDrainGranted || isPlain else { return }
        send(.disconnect(extra: []), at: now, &actions)
        stop(&actions)
    }

    public mutating func ticked(at now: Duration, _ actions: inout [Action]) {
        switch phase {
        case .unconnected, .stopped: return
        case .expelled(let end):
            if end <= now { reopen(&actions) }
            return
        case .registered: break
        }
        if wasSuspended(at: now) { return reopen(&actions) }
        lastAwake = now
        if lastHeard + silenceLimit <= now {
            tryOptionsAgain()
            return reopen(&actions)
        }
        if !isAgreed, !isPlain, openedAt + timing.agreementTimeout <= now {
            // A broker without our options ignores or rejects them: register as a plain worker of RFC 18.
            // If it has registered this worker, it must not dispatch requests to the closed socket: send DISCONNECT.
            recordFailedTrial()
            send(.disconnect(extra: []), at: now, &actions)
            return reopen(&actions)
        }
        if lastSent + interval <= now { heartbeat(at: now, &actions) }
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
    private mutating func heartbeat(at now: Duration, _ actions: inout [Action]) {
        send(.heartbeat(extra: isDraining && !isPlain ? [WorkerMessage.drainFrame] : []), at: now, &actions)
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

    private mutating func reopen(_ actions: inout [Action]) {
        forgetTickets()
        phase = .unconnected
        if isDraining { stop(&actions) } else { actions.append(.reopen) }
    }

    private mutating func stop(_ actions: inout [Action]) {
        phase = .stopped
        actions.append(.stopped)
    }

    private mutating func send(_ message: WorkerMessage, at now: Duration, _ actions: inout [Action]) {
        lastSent = now
        actions.append(.send(.worker(version, message)))
    }
}
