import Majordomo
import MessageBus

/// A standard worker (RFC 7 or 18): a plain READY, one request after the other, heartbeats, and a new registration
/// after a DISCONNECT or three intervals of silence.
final class PlainWorkerPeer: PlainSocket {
    let keepsSocket: Bool
    private let isQuietAtWork: Bool
    private var lastHeard: Duration = .zero
    private var lastSent: Duration = .zero
    private var busyUntil: Duration = .zero
    private let interval: Duration

    init(number: Int, _ kind: Scenario.PlainWorker, in world: World) {
        keepsSocket = kind.keepsSocket
        isQuietAtWork = kind.isQuietAtWork
        interval = world.scenario.timing.plainHeartbeatInterval
        super.init("plain-worker/\(number)", role: .worker, kind.version, in: world)
    }

    /// Its liveness has expired, so that it is about to register anew: its READY waited for the broker.
    var isAboutToRegister: Bool { lastHeard + interval * 3 <= clock + .milliseconds(100) }

    override func started() {
        busyUntil = .zero
        super.started()
        register()
    }

    private func register() {
        lastHeard = clock
        say(.ready(service: Frame(text: "echo"), extra: []))
    }

    private func say(_ message: WorkerMessage) {
        guard let frames = message.encoded(version) else { return }
        lastSent = clock
        send(frames)
        planTick()
    }

    override func received(_ frames: [Frame]) {
        lastHeard = clock
        switch WorkerMessage.fromBroker(frames) {
        case .request(let ticket, let body): work(on: ticket, body.frames)
        case .disconnect:
            if !keepsSocket { reopen() }
            register()
        case .heartbeat, .ready, .partial, .final, nil: break
        }
    }

    private func work(on ticket: Frame, _ body: [Frame]) {
        let work = world.referee.began(body, at: self)
        // Earlier requests take time, and the broker may no longer know of them.
        if busyUntil > clock || isQuietAtWork { markTroubled(until: bornAt + max(busyUntil, clock) + work) }
        busyUntil = max(busyUntil, clock) + work
        if world.referee.isPoison(body[...]) { world.poison(self, in: work) }
        let answer = Self.answer(to: body)
        if version == .v02, world.dice.hits(oneIn: 2) {
            later(in: busyUntil - clock - work / 2) { [self] in say(.partial(ticket: ticket, body: MessageBody(answer)))
            }
        }
        // Over its current connection: the socket does not report a lost one.
        later(in: busyUntil - clock) { [self] in say(.final(ticket: ticket, body: MessageBody(answer))) }
    }

    static func answer(to body: [Frame]) -> [Frame] {
        guard case .control(let control) = ControlFrame.read(body.first) else { return body + [Frame(text: "done")] }
        return [ControlFrame(id: control.id).encoded()] + body.dropFirst() + [Frame(text: "done")]
    }

    override func ticked() {
        if lastHeard + interval * 3 <= clock {
            reopen()
            register()
        } else if lastSent + interval <= clock {
            if isQuietAtWork, busyUntil > clock { lastSent = clock } else { say(.heartbeat(extra: [])) }
        }
    }

    override var nextDeadline: Duration? { min(lastHeard + interval * 3, lastSent + interval) }
}
