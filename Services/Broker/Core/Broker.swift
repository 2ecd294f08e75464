import Contracts
import Envelope
import Majordomo
import MessageBus
import ServiceKit
import ZeroMQ

/// The broker: Majordomo on a ROUTER, events in on a PULL and out on an XPUB, all on one poll loop.
///
/// It decides nothing: the ledger is a `BrokerStateMachine`, the stream an `EventRing`.
actor Broker {
    private nonisolated let context: Context
    private nonisolated let alarm: Alarm
    private let clock: WallClock
    private let identity: ServiceIdentity
    private let start = ContinuousClock.now
    private let router: Socket
    private let eventsIn: Socket
    private let events: Socket
    private var machine: BrokerStateMachine
    private var outlet: EventOutlet
    /// Sent together at the end of a turn (see `PollLoop.atEndOfTurn`).
    private var outbox: [(peer: PeerID, frames: [Frame])] = []
    private var tally = BrokerTally()

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    /// How long unsent replies and events outlive the doors.
    static let linger: Duration = .milliseconds(250)

    /// The name under which the broker publishes its own events.
    static let instance = "broker/1"

    init(context: Context, timing: MajordomoTiming, epoch: UInt64, clock: WallClock) throws {
        self.context = context
        self.clock = clock
        identity = ServiceIdentity(name: "broker", id: Self.instance, clock: clock)
        alarm = Alarm(in: context)
        machine = BrokerStateMachine(timing: timing, epoch: epoch)
        var options = SocketOptions()
        options.linger = Self.linger
        // A pipe holds what one peer may have under way, twice over (see `ClientConnection.maxOutstanding`).
        options.sendHighWaterMark = 1000
        options.receiveHighWaterMark = 1000
        options.maxMessageSize = 4 << 20
        options.isRouterMandatory = true
        router = try Socket(.router, in: context, options: options)
        options.isRouterMandatory = false
        eventsIn = try Socket(.pull, in: context, options: options)
        // Messages of up to `EventOutlet.batch` events: what a stopped subscriber costs at most is some ten megabytes.
        options.sendHighWaterMark = 2_000
        options.isVerbose = true
        events = try Socket(.extendedPublisher, in: context, options: options)
        outlet = EventOutlet(ring: EventRing(epoch: epoch), socket: events)
    }

    /// - Parameter options: what these doors have beyond those that were bound before.
    func bind(_ endpoints: BusEndpoints, options: SocketOptions? = nil) async throws {
        // Requests last: whoever finds that door open finds the others open too.
        let doors = [(eventsIn, endpoints.eventsIn), (events, endpoints.events), (router, endpoints.requests)]
        for (socket, endpoint) in doors {
            if let options { try await socket.set(options) }
            try await socket.bind(endpoint)
        }
    }

    /// What a doorkeeper watches.
    nonisolated var sockets: [Socket] { [eventsIn, events, router] }

    /// Serves until the task is cancelled.
    func run() async throws {
        let loop = context.loop
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: loop) { while await self.alarm.wait() { await self.tick() } }
            group.addTask(executorPreference: loop) { try await self.collectEvents() }
            group.addTask(executorPreference: loop) { try await self.welcomeSubscribers() }
            group.addTask(executorPreference: loop) { try await self.route() }
            while try await group.next() != nil {}
        }
    }

    func close() async {
        await router.close()
        await eventsIn.close()
        await events.close()
    }

    private var now: Duration { .now - start }

    private func route() async throws {
        repeat { try takeRequests() } while await router.waitUntilReadable()
    }

    private func takeRequests() throws {
        let messages = try router.assumeIsolated { try $0.receiveAddressedReady() }
        for (peer, frames) in messages {
            let now = now
            apply(machine.received(frames, from: peer, at: now), at: now)
        }
        settle()
    }

    private func collectEvents() async throws {
        repeat { try takeEvents() } while await eventsIn.waitUntilReadable()
    }

    private func takeEvents() throws {
        for message in try eventsIn.assumeIsolated({ try $0.receiveReady() }) {
            for event in message where event.count <= 64 << 10 { outlet.append(.published(event), at: now) }
        }
        outlet.flush()
    }

    /// A new subscriber causes an event, by which it learns where its subscription begins.
    private func welcomeSubscribers() async throws {
        while let message = try await events.receive() {
            guard outlet.subscriptionChanged(message, at: now) else { continue }
            publish(Event(at: clock.microseconds, kind: "broker.tap_joined", source: Self.instance))
        }
    }

    func publish(_ event: Event) {
        outlet.append(.published(event.json()), at: now)
        outlet.flush()
    }

    private func tick() {
        let now = now
        apply(machine.ticked(at: now), at: now)
        settle()
    }

    /// Ends a turn: what it has to send goes out.
    private func settle() {
        while !outbox.isEmpty {
            let messages = outbox
            outbox.removeAll(keepingCapacity: true)
            let now = now
            for peer in unreached(by: messages) { apply(machine.undeliverable(to: peer, at: now), at: now) }
        }
        outlet.flush()
        if let next = machine.nextDeadline { alarm.ring(by: start + next) }
    }

    /// Sends all of it, and tells whose pipe was full or whose connection is gone.
    private func unreached(by messages: [(peer: PeerID, frames: [Frame])]) -> [PeerID] {
        router.assumeIsolated { router in
            var lost: [PeerID] = []
            for (peer, frames) in messages {
                // Who could not take one message gets none of the rest: the machine is about to give it up.
                if !lost.isEmpty, lost.contains(peer) { continue }
                // A closed socket is the broker's own end; then nobody waits for this any more.
                if (try? router.sendIfReady(frames, to: peer)) != .sent { lost.append(peer) }
            }
            return lost
        }
    }

    private func apply(_ actions: [BrokerStateMachine.Action], at now: Duration) {
        for action in actions {
            switch action {
            case .send(let peer, let frames): outbox.append((peer, frames))
            case .note(let event):
                let at = clock.microseconds
                tally.record(event, at: at)
                outlet.append(.ledger(event, at: at), at: now)
            case .inspect(let inspection): answer(inspection, at: now)
            }
        }
    }

    private func answer(_ inspection: BrokerStateMachine.Inspection, at now: Duration) {
        // Whole numbers and names always encode; if they did not, "500" is better than a list that looks empty.
        let frames = try? answers(to: inspection, at: now)
        apply([machine.answer(inspection, status: frames == nil ? "500" : "200", frames ?? [])], at: now)
    }

    private func answers(to inspection: BrokerStateMachine.Inspection, at now: Duration) throws -> [Frame] {
        switch inspection.subject {
        case .ping: return []
        case .info: return [try JSONBytes.encode(identity.info())]
        case .stats:
            let report = machine.report(at: now)
            return [
                try JSONBytes.encode(tally.stats(of: identity.info(), report)),
                try JSONBytes.encode(tally.traffic(report)),
                try JSONBytes.encode(MessageCounts(report.counters)),
            ]
        case .services: return machine.report(at: now).services.map { Frame(text: $0.name) }
        case .workers:
            let status = BrokerStatus(machine.report(at: now), up: now, events: Int(outlet.ring.lastSequence))
            return [try JSONBytes.encode(status)]
        case .events:
            outlet.heardOfListener(at: now)
            let sequence = inspection.arguments.first.flatMap { UInt64($0.text) } ?? .max
            let page = outlet.ring.page(from: sequence, limit: 24, maxBytes: 1 << 20)
            return [outlet.ring.head.encoded] + page.flatMap { [$0.encoded, $1] }
        }
    }
}
