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
    private let start = ContinuousClock.now
    private let router: Socket
    private let eventsIn: Socket
    private let events: Socket
    private var machine: BrokerStateMachine
    private var ring: EventRing

    nonisolated var unownedExecutor: UnownedSerialExecutor { context.loop.asUnownedSerialExecutor() }

    /// The name under which the broker publishes its own events.
    static let instance = "broker/1"

    init(context: Context, timing: MajordomoTiming, epoch: UInt64, clock: WallClock) throws {
        self.context = context
        self.clock = clock
        alarm = Alarm(in: context)
        machine = BrokerStateMachine(timing: timing, epoch: epoch)
        ring = EventRing(epoch: epoch)
        var options = SocketOptions()
        options.linger = .milliseconds(250)
        // A pipe holds what one peer may have under way, twice over (see `ClientConnection.maxOutstanding`).
        options.sendHighWaterMark = 1000
        options.receiveHighWaterMark = 1000
        options.maxMessageSize = 4 << 20
        options.isRouterMandatory = true
        router = try Socket(.router, in: context, options: options)
        options.isRouterMandatory = false
        eventsIn = try Socket(.pull, in: context, options: options)
        options.sendHighWaterMark = 10_000
        options.isVerbose = true
        events = try Socket(.extendedPublisher, in: context, options: options)
    }

    func bind(_ endpoints: BusEndpoints) async throws {
        try await eventsIn.bind(endpoints.eventsIn)
        try await events.bind(endpoints.events)
        // Last: whoever finds this door open finds the others open too.
        try await router.bind(endpoints.requests)
    }

    /// Serves until the task is cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { while await self.alarm.wait() { await self.tick() } }
            group.addTask { try await self.collectEvents() }
            group.addTask { try await self.welcomeSubscribers() }
            group.addTask { try await self.route() }
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
        while let message = try await router.receive() {
            guard let peer = message.first else { continue }
            apply(machine.received(Array(message.dropFirst()), from: peer, at: now))
        }
    }

    private func collectEvents() async throws {
        while let message = try await eventsIn.receive() {
            for event in message where event.count <= 64 << 10 { publish(event) }
        }
    }

    /// A new subscriber causes an event, by which it learns where its subscription begins.
    private func welcomeSubscribers() async throws {
        while let message = try await events.receive() {
            guard message.first?.first == 1 else { continue }
            publish(Event(at: clock.microseconds, kind: "broker.tap_joined", source: Self.instance))
        }
    }

    private func tick() { apply(machine.ticked(at: now)) }

    private func apply(_ actions: [BrokerStateMachine.Action]) {
        var lost: [PeerID] = []
        for action in actions {
            switch action {
            case .send(let peer, let frames):
                // Who could not take one message gets none of the rest: the machine is about to give it up.
                if lost.contains(peer) || !send(frames, to: peer) { lost.append(peer) }
            case .note(let event): publish(event.event(at: clock.microseconds, source: Self.instance))
            case .inspect(let inspection): answer(inspection)
            }
        }
        // Only now, since these actions are older than what follows from the loss.
        for peer in lost { apply(machine.undeliverable(to: peer, at: now)) }
        if let next = machine.nextDeadline { alarm.ring(by: start + next) }
    }

    private func send(_ frames: [Frame], to peer: PeerID) -> Bool {
        let outcome = router.assumeIsolated { router in
            // A closed socket is the broker's own end; then nobody waits for this any more.
            (try? router.sendIfReady([peer] + frames)) ?? .wouldBlock
        }
        return outcome == .sent
    }

    private func publish(_ event: Event) {
        // Our own events always encode; one that did not would only be missing from the stream.
        guard let bytes = try? JSONBytes.encode(event) else { return }
        publish(bytes)
    }

    private func publish(_ bytes: [UInt8]) {
        let stamp = ring.append(bytes)
        // A publisher never blocks: what a slow subscriber's pipe cannot take is lost for that one, and it sees the gap.
        _ = try? events.assumeIsolated { try $0.sendIfReady([stamp.encoded, bytes]) }
    }

    private func answer(_ inspection: BrokerStateMachine.Inspection) {
        let report = machine.report(at: now)
        switch inspection.subject {
        case .services:
            apply([machine.answer(inspection, report.services.map { Frame(text: $0.name) })])
        case .workers, .stats:
            let status = BrokerStatus(report, up: now, events: Int(ring.lastSequence))
            // Whole numbers and names always encode; an asker that got no frame would say that the list is empty.
            apply([machine.answer(inspection, (try? [JSONBytes.encode(status)]) ?? [])])
        case .events:
            let sequence = inspection.arguments.first.flatMap { UInt64($0.text) } ?? .max
            let page = ring.page(from: sequence, limit: 24, maxBytes: 1 << 20)
            apply([machine.answer(inspection, [ring.head.encoded] + page.flatMap { [$0.encoded, $1] })])
        }
    }
}
