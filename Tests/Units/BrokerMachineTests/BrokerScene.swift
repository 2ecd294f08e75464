import BrokerMachine
import Majordomo
import MessageBus

/// A broker on a clock that the test moves; sent messages are kept by receiver until they are taken.
final class BrokerScene {
    /// A request as received by a worker.
    struct Dispatch {
        let ticket: Frame
        let control: ControlFrame?
        let content: [Frame]
        var call: UInt64? { control?.id.call }
    }

    /// A reply or refusal as received by a client.
    struct Answer: Equatable {
        let control: ControlFrame?
        let content: [Frame]
        var isPartial = false
        var call: UInt64? { control?.id.call }
        var refusal: Refusal? {
            guard control?.flags.contains(.refused) == true else { return nil }
            return content.first.flatMap { Refusal(rawValue: $0.text) }
        }
    }

    var broker: BrokerStateMachine
    private(set) var now: Duration = .zero
    private(set) var notes: [LedgerEvent] = []
    private(set) var inspections: [BrokerStateMachine.Inspection] = []
    /// The peers whose connections the broker ends.
    private(set) var ended: [PeerID] = []
    private var sent: [PeerID: [[Frame]]] = [:]

    init(
        timing: MajordomoTiming = MajordomoTiming(), epoch: UInt64 = 7,
        describe: @escaping @Sendable (ArraySlice<Frame>) -> RequestDescription? = { _ in nil }
    ) {
        broker = BrokerStateMachine(timing: timing, epoch: epoch, describe: describe)
    }

    /// As libzmq makes them; a peer called "own …" has chosen its own.
    static func identity(of peer: String) -> PeerID {
        peer.hasPrefix("own ") ? Frame(text: peer) : [0] + Frame(text: peer)
    }

    func receive(_ frames: [Frame], from peer: String, rights: PeerRights = .all) {
        apply { broker.received(frames, from: Self.identity(of: peer), rights: rights, at: now, &$0) }
    }

    func fail(toReach peer: String) {
        apply { broker.undeliverable(to: Self.identity(of: peer), queuedAt: now, at: now, &$0) }
    }

    /// Ends the connection of a peer, as after a crash of the peer.
    func disconnect(_ peer: String, undeliveredSince time: Duration? = nil) {
        apply { broker.disconnected(Self.identity(of: peer), undeliveredSince: time, at: now, &$0) }
    }

    func apply(_ change: (inout [BrokerStateMachine.Action]) -> Void) {
        var actions: [BrokerStateMachine.Action] = []
        change(&actions)
        for action in actions {
            switch action {
            case .send(let peer, let message): sent[peer, default: []].append(message.encoded)
            case .note(let event): notes.append(event)
            case .end(let peer): ended.append(peer)
            case .inspect(let inspection): inspections.append(inspection)
            }
        }
    }

    /// Advances the time, with a tick at each deadline of the broker and one at the end.
    func advance(by duration: Duration) {
        let end = now + duration
        while let due = broker.nextDeadline, due < end, due > now {
            now = due
            apply { broker.ticked(at: now, &$0) }
        }
        now = end
        apply { broker.ticked(at: now, &$0) }
    }

    /// Advances the time without a tick: the next message comes before it.
    func advanceWithoutTick(by duration: Duration) {
        now += duration
    }

    func taken(by peer: String) -> [[Frame]] {
        sent.removeValue(forKey: Self.identity(of: peer)) ?? []
    }

    func count(of reason: DropReason) -> Int {
        broker.counters.dropped[reason] ?? 0
    }
}

// MARK: - Clients

extension BrokerScene {
    func ask(
        _ service: String = "echo", call: UInt64 = 1, by client: String = "client", isIdempotent: Bool = true,
        within time: Duration = .seconds(60), content: [Frame] = [Frame(text: "hello")]
    ) {
        let control = ControlFrame(
            id: RequestID(query: 1, call: call), flags: isIdempotent ? .idempotent : [],
            remainingMilliseconds: UInt32(time / .milliseconds(1)))
        askPlainly(service, by: client, body: [control.encoded()] + content)
    }

    func askPlainly(
        _ service: String = "echo", by client: String = "client", body: [Frame] = [Frame(text: "hello")],
        _ version: MajordomoVersion = .v02
    ) {
        receive(
            ClientMessage.request(service: Frame(text: service), body: MessageBody(body)).encoded(version), from: client
        )
    }

    func answers(to client: String = "client") -> [Answer] {
        taken(by: client).compactMap { frames in
            switch ClientMessage.fromBroker(frames) {
            case .final(_, let body): Self.answer(body, isPartial: false)
            case .partial(_, let body): Self.answer(body, isPartial: true)
            case .request, nil: nil
            }
        }
    }

    private static func answer(_ body: MessageBody, isPartial: Bool) -> Answer {
        Answer(control: body.control, content: Array(body.content), isPartial: isPartial)
    }
}

// MARK: - Workers

extension BrokerScene {
    /// The instances that were removed for their silence.
    var silentWorkers: [String] { broker.report(at: now).silentWorkers.map(\.instance) }

    /// Registers with options; the interval is long, so that only tests of silence reach the silence limit.
    func join(
        _ worker: String, _ service: String = "echo", instance: String? = nil, capacity: Int = 1,
        heartbeat: Duration = .seconds(60), isExclusive: Bool = false, process: UInt64? = nil
    ) {
        let options = WorkerOptions(
            instance: instance ?? worker, capacity: capacity, heartbeatInterval: heartbeat, isExclusive: isExclusive,
            process: process)
        say(.ready(service: Frame(text: service), extra: [options.encoded]), as: worker)
    }

    func joinPlainly(_ worker: String, _ service: String = "echo", _ version: MajordomoVersion = .v02) {
        say(.ready(service: Frame(text: service), extra: []), as: worker, version)
    }

    func say(_ message: WorkerMessage, as worker: String, _ version: MajordomoVersion = .v02) {
        receive(message.encoded(version) ?? [], from: worker)
    }

    /// Takes all messages to the worker, including requests.
    func heard(by worker: String) -> [WorkerMessage] {
        taken(by: worker).compactMap(WorkerMessage.fromBroker)
    }

    func dispatches(to worker: String) -> [Dispatch] {
        heard(by: worker).compactMap { message in
            guard case .request(let ticket, let body) = message else { return nil }
            return Dispatch(ticket: ticket, control: body.control, content: Array(body.content))
        }
    }

    func finish(
        _ dispatch: Dispatch, as worker: String, content: [Frame] = [Frame(text: "done")],
        _ version: MajordomoVersion = .v02
    ) {
        say(.final(ticket: dispatch.ticket, body: Self.reply(to: dispatch, content)), as: worker, version)
    }

    func finishPartly(_ dispatch: Dispatch, as worker: String) {
        say(.partial(ticket: dispatch.ticket, body: Self.reply(to: dispatch, [Frame(text: "part")])), as: worker)
    }

    private static func reply(to dispatch: Dispatch, _ content: [Frame]) -> MessageBody {
        MessageBody(control: dispatch.control.map { ControlFrame(id: $0.id) }, content: content[...])
    }
}
