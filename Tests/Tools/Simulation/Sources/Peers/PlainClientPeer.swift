import Majordomo
import MessageBus

/// A standard client (RFC 7 or 18): no control frame, one request at a time, a new socket and a repeat after a timeout.
final class PlainClientPeer: PlainSocket {
    private var call: Call?
    private var triesLeft = 0

    init(number: Int, _ version: MajordomoVersion, in world: World) {
        super.init("plain-client/\(number)", role: .plainClient(version), version, in: world)
    }

    override func started() {
        super.started()
        call.map { world.referee.callerIsGone($0) }
        call = nil
    }

    func ask() {
        guard isUp, !isPaused, call == nil else { return }
        triesLeft = 3
        send()
    }

    private func send() {
        guard triesLeft > 0 else { return call = nil }
        triesLeft -= 1
        guard let connection else { return }
        let limit = world.dice.milliseconds(1000...3000)
        let new = world.referee.asked(
            by: self, id: nil, service: Frame(text: "echo"), isIdempotent: true, within: limit,
            work: world.dice.milliseconds(1...200))
        call = new
        let tag = MessageTag(number: world.referee.sends(new, over: connection, isManagement: false))
        let message = ClientMessage.request(service: new.service, body: [Frame(text: "plain"), tag.encoded])
        send(message.encoded(version))
        later(in: limit) { [self] in
            guard call === new else { return }
            world.referee.gaveUp(new)
            reopen()
            send()
        }
    }

    override func received(_ frames: [Frame]) {
        guard case .final(_, let body) = ClientMessage.fromBroker(frames), let call,
            MessageTag(body.content.dropLast().last) == call.messages.last.map({ MessageTag(number: $0.number) })
        else { return }
        world.referee.answered(plain: call)
        self.call = nil
    }
}
