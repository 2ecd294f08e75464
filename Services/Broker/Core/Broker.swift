import BrokerMachine
import Contracts
import Envelope
import Majordomo
import MessageBus
import PollLoop
import ProcessKit
import ServiceKit
import ZeroMQ

/// The broker: Majordomo on a ROUTER, events in on a PULL and out on an XPUB, all on one poll loop.
///
/// It contains input and output only: the ledger is a `BrokerStateMachine`, the event stream an `EventRing`.
actor Broker {
    private nonisolated let context: Context
    private nonisolated let alarm: Alarm
    let clock: WallClock
    let identity: ServiceIdentity
    private let start = ContinuousClock.now
    let router: Socket
    private let eventsIn: Socket
    private let events: Socket
    var machine: BrokerStateMachine
    var eventPublisher: EventBatcher
    var connections: PeerConnections
    /// One for each of `sockets`, while the broker runs.
    var monitors: [ConnectionMonitor] = []
    /// Messages of peers that have not been introduced to `connections`.
    var messagesOfNewPeers: [AddressedMessage] = []
    /// Failed tcp handshakes that have not been passed to `onRefused` yet.
    var failures: [HandshakeFailure] = []
    private var onRefused: @Sendable (HandshakeFailure) async -> Void = { _ in }
    /// Sent together at the end of an iteration (see `PollLoop.atEndOfIteration`).
    private var sendQueue: [QueuedMessage] = []
    /// The rooms of arrays that every message needs.
    private var received: [AddressedMessage] = []
    private var sending: [QueuedMessage] = []
    private var actions: [BrokerStateMachine.Action] = []
    var tally = BrokerTally()

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    /// The name under which the broker publishes its own events.
    static let instance = "broker/1"

    /// - Parameter maxConnections: the number of connections above which some are ended.
    init(context: Context, timing: MajordomoTiming, epoch: UInt64, clock: WallClock, maxConnections: Int) throws {
        self.context = context
        self.clock = clock
        identity = ServiceIdentity(name: "broker", id: Self.instance, clock: clock)
        alarm = Alarm(on: context.loop)
        machine = BrokerStateMachine(timing: timing, epoch: epoch) { content in
            // The body of a foreign client need not be an envelope and then has no kind.
            guard let request = try? Envelope(frames: content) else { return nil }
            return RequestDescription(kind: request.header.kind, payload: content.dropFirst())
        }
        connections = PeerConnections(limit: maxConnections)
        var options = SocketOptions()
        options.linger = BrokerTiming.linger
        // A pipe holds twice the messages that one peer may have in flight (see `ClientConnection.maxOutstanding`).
        options.sendHighWaterMark = 1000
        options.receiveHighWaterMark = 1000
        options.maxMessageSize = 4 << 20
        options.handshakeInterval = BrokerTiming.handshakeLimit
        options.isRouterMandatory = true
        router = try Socket(.router, in: context, options: options)
        options.isRouterMandatory = false
        eventsIn = try Socket(.pull, in: context, options: options)
        // Messages of up to `EventBatcher.batch` events: a stopped subscriber costs some ten megabytes at most.
        options.sendHighWaterMark = 2_000
        options.isVerbose = true
        events = try Socket(.extendedPublisher, in: context, options: options)
        eventPublisher = EventBatcher(ring: EventRing(epoch: epoch), socket: events)
    }

    /// - Parameter options: socket options of these endpoints, set before binding; nil leaves them unchanged.
    func bind(_ endpoints: BrokerEndpoints, options: SocketOptions? = nil) async throws {
        // Requests last: a client that reaches this endpoint can reach the others, too.
        let bindings = [(eventsIn, endpoints.eventsIn), (events, endpoints.events), (router, endpoints.requests)]
        for (socket, endpoint) in bindings {
            if let options { try await socket.set(options) }
            try await socket.bind(endpoint)
        }
    }

    /// In the order of `PeerConnections.SocketNumber`.
    var sockets: [Socket] { [router, eventsIn, events] }

    /// Serves until the task is cancelled.
    func run() async throws {
        let tasks = context.loop.tasks
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: tasks) { while await self.alarm.wait() { await self.tick() } }
            group.addTask(executorPreference: tasks) { try await self.collectEvents() }
            group.addTask(executorPreference: tasks) { try await self.announceSubscribers() }
            group.addTask(executorPreference: tasks) { try await self.route() }
            for number in monitors.indices {
                group.addTask(executorPreference: tasks) { try await self.watchConnections(ofSocket: number) }
            }
            while try await group.next() != nil {}
        }
    }

    func close() async {
        for monitor in monitors { await monitor.close() }
        await router.close()
        await eventsIn.close()
        await events.close()
    }

    var now: Duration { .now - start }

    private func route() async throws {
        repeat {
            try takeRequests()
            if !failures.isEmpty { await reportFailures() }
        } while await router.waitUntilReadable()
    }

    private func takeRequests() throws {
        let isEmpty = try readRequests()
        if !messagesOfNewPeers.isEmpty { try introduceNewPeers() }
        if isEmpty { removeLostPeers() }
        settle()
    }

    /// Applies the messages of introduced peers, and keeps the others for `introduceNewPeers`.
    ///
    /// - Returns: true when no message is left to read.
    func readRequests() throws -> Bool {
        var messages = exchange(&received, with: [])
        try router.assumeIsolated { try $0.receiveReady(into: &messages) }
        for message in messages {
            if recordDelivery(of: message) { apply(message) } else { messagesOfNewPeers.append(message) }
        }
        let count = messages.count
        messages.removeAll(keepingCapacity: true)
        received = messages
        connections.recordIteration(ofSocket: PeerConnections.SocketNumber.requests, messages: count)
        return count < Socket.maxBatch
    }

    func apply(_ message: AddressedMessage) {
        let rights = Principal.rights(ofUserID: message.origin.userID)
        update { $0.received(message.frames, from: message.address, rights: rights, at: $1, &$2) }
    }

    /// Changes the state machine, and performs its actions.
    func update(
        _ body: (inout BrokerStateMachine, _ now: Duration, _ actions: inout [BrokerStateMachine.Action]) -> Void
    ) {
        let now = now
        var actions = exchange(&self.actions, with: [])
        body(&machine, now, &actions)
        for action in actions { perform(action, at: now) }
        actions.removeAll(keepingCapacity: true)
        self.actions = actions
    }

    private func collectEvents() async throws {
        repeat { try takeEvents() } while await eventsIn.waitUntilReadable()
    }

    private func takeEvents() throws {
        let messages = try eventsIn.assumeIsolated { try $0.receiveReadyWithOrigin() }
        for (frames, origin) in messages {
            try recordDelivery(of: frames, from: origin, ofSocket: PeerConnections.SocketNumber.eventsIn)
            let principal = origin.userID.map(Principal.init(userID:))
            for event in frames where event.count <= 64 << 10 {
                if let principal, !Self.mayPublish(event, principal) {
                    update { $0.droppedForbiddenEvent(at: $1, &$2) }
                } else {
                    eventPublisher.append(.published(event), at: now)
                }
            }
        }
        connections.recordIteration(ofSocket: PeerConnections.SocketNumber.eventsIn, messages: messages.count)
        eventPublisher.flush()
    }

    /// Whether an event names a source that its sender may use.
    private static func mayPublish(_ event: [UInt8], _ principal: Principal?) -> Bool {
        guard let principal, let event = try? JSONBytes.decode(Event.self, from: event) else { return false }
        return principal.mayPublish(from: event.source)
    }

    /// Publishes an event for each new subscription, so that the subscriber knows where its subscription begins.
    private func announceSubscribers() async throws {
        repeat { try takeSubscriptions() } while await events.waitUntilReadable()
    }

    private func takeSubscriptions() throws {
        let messages = try events.assumeIsolated { try $0.receiveReadyWithOrigin() }
        for (frames, origin) in messages {
            try recordDelivery(of: frames, from: origin, ofSocket: PeerConnections.SocketNumber.events)
            guard eventPublisher.applySubscription(frames, at: now) else { continue }
            publish(Event(at: clock.microseconds, kind: EventKind.tapJoined, source: Self.instance))
        }
        connections.recordIteration(ofSocket: PeerConnections.SocketNumber.events, messages: messages.count)
    }

    /// Opens the monitors: before the sockets are bound, so that no connection event is missed.
    ///
    /// - Parameter onRefused: called with each failed tcp handshake.
    func open(onRefused: (@Sendable (HandshakeFailure) async -> Void)? = nil) async throws {
        for socket in sockets { monitors.append(try await socket.connectionMonitor(in: context)) }
        if let onRefused { self.onRefused = onRefused }
    }

    func reportFailures() async {
        while !failures.isEmpty { await onRefused(failures.removeFirst()) }
    }

    func publish(_ event: Event) {
        eventPublisher.append(.published(event.json()), at: now)
        eventPublisher.flush()
    }

    private func tick() {
        update { $0.ticked(at: $1, &$2) }
        connections.ticked(at: now)
        settle()
    }

    /// Ends an iteration: sends all queued messages and events, and sets the alarm.
    func settle() {
        while !sendQueue.isEmpty {
            swap(&sendQueue, &sending)
            let lost = sendAll(sending)
            sending.removeAll(keepingCapacity: true)
            if !lost.isEmpty { removeUnreachable(lost) }
        }
        reportEnds()
        eventPublisher.flush()
        if let next = machine.nextDeadline { alarm.ring(by: start + next) }
        if let next = connections.nextDeadline { alarm.ring(by: start + next) }
    }

    /// Sends the messages.
    ///
    /// - Returns: the first lost message of each peer whose pipe was full or whose connection has ended.
    private func sendAll(_ messages: [QueuedMessage]) -> [QueuedMessage] {
        let lost = router.assumeIsolated { router in
            var lost: [QueuedMessage] = []
            for message in messages {
                // After one lost message a peer gets no further one: the machine is about to drop the peer.
                if !lost.isEmpty, lost.contains(where: { $0.peer == message.peer }) { continue }
                // The socket is closed only when the broker itself ends; then no peer waits for this message.
                let outcome = try? router.sendIfReady(frames: message.content.frameCount, to: message.peer) { sender in
                    message.content.forEachFrame { sender.append($0) }
                }
                if outcome != .sent { lost.append(message) }
            }
            return lost
        }
        for message in messages where lost.isEmpty || !lost.contains(where: { $0.peer == message.peer }) {
            connections.recordSend(of: message.content.byteCount, to: message.peer)
        }
        return lost
    }

    func perform(_ action: BrokerStateMachine.Action, at now: Duration) {
        switch action {
        case .send(let peer, let message): sendQueue.append(QueuedMessage(peer: peer, content: message, at: now))
        case .note(let event):
            let at = clock.microseconds
            tally.record(event, at: at)
            eventPublisher.append(.ledger(event, at: at), at: now)
        case .end(let peer): connections.endConnection(of: peer)
        case .inspect(let inspection): answer(inspection, at: now)
        }
    }
}
