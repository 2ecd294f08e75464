import BrokerMachine
import Majordomo
import MessageBus

/// A registered worker of a service without callers, which sends every kind of invalid message.
final class MalformedPeer: PlainSocket {
    init(in world: World) { super.init("malformedPeer", role: .malformedPeer, .v02, in: world) }

    /// It may register its own service only.
    override var rights: PeerRights { PeerRights(role: 1, registration: .one(service: Frame(text: name))) }

    override func started() {
        super.started()
        register()
        mischief()
    }

    override func received(_ frames: [Frame]) {
        guard case .disconnect = WorkerMessage.fromBroker(frames), world.dice.hits(oneIn: 2) else { return }
        register()
    }

    private func register() {
        say(.ready(service: Frame(text: world.dice.hits(oneIn: 4) ? "echo" : name), extra: []))
    }

    private func say(_ message: WorkerMessage) { message.encoded(version).map { send($0) } }

    private func mischief() {
        later(in: world.dice.milliseconds(20...400)) { [self] in
            misbehave()
            mischief()
        }
    }

    private func misbehave() {
        var (ticket, body) = world.referee.randomDispatch(&world.dice) ?? (Frame(text: "no ticket"), [])
        switch world.dice.number(below: 10) {
        case 0...2: say(.final(ticket: ticket, body: MessageBody(PlainWorkerPeer.answer(to: body))))
        case 3: say(.partial(ticket: ticket, body: MessageBody(PlainWorkerPeer.answer(to: body))))
        case 4:
            ticket[ticket.count - 1] &+= 1
            say(.final(ticket: ticket, body: MessageBody(PlainWorkerPeer.answer(to: body))))
        case 5: say(.request(ticket: ticket, body: MessageBody(body)))
        case 6: say(.ready(service: Frame(text: "mmi.service"), extra: []))
        case 7: say(.ready(service: Frame(text: "malformedPeer"), extra: [Frame(text: "capacity=-1")]))
        case 8: send([Frame(text: "MDPC02"), [1], Frame(text: "echo"), Frame(text: "KBOX")])
        default: send([[], [], Frame(text: "MDPW02")])
        }
    }
}
