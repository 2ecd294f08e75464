import MessageBus
import Testing

@testable import Majordomo

@Suite struct ClientStateMachineTests {
    typealias Action = ClientStateMachine.Action

    private var client = ClientStateMachine(at: .zero)
    private let id = RequestID(query: 1, call: 2)
    private let content = [Frame(text: "hello")]

    private mutating func ask(
        _ id: RequestID? = nil, isIdempotent: Bool = true, deadline: Duration = .seconds(5), at now: Duration = .zero
    ) -> [Action] {
        client.requested(
            id ?? self.id, service: Frame(text: "echo"), content: content, isIdempotent: isIdempotent,
            deadline: deadline, at: now)
    }

    private func request(
        _ id: RequestID? = nil, isIdempotent: Bool = true, milliseconds: UInt32 = 5000
    ) -> Action {
        let control = ControlFrame(
            id: id ?? self.id, flags: isIdempotent ? .idempotent : [], remainingMilliseconds: milliseconds)
        let message = ClientMessage.request(
            service: Frame(text: "echo"), body: MessageBody(control: control, content: content[...]))
        return .send(.client(.v02, message))
    }

    private func final(_ body: [Frame], of control: ControlFrame) -> [Frame] {
        ClientMessage.final(service: Frame(text: "echo"), body: MessageBody(control: control, content: body[...]))
            .encoded(.v02)
    }

    @Test mutating func `a request is sent at once, or once the broker is connected`() {
        #expect(ask() == [])
        #expect(client.connected(at: .milliseconds(200)) == [request(milliseconds: 4800)])
        let other = RequestID(query: 1, call: 3)
        #expect(ask(other, at: .seconds(1)) == [request(other, milliseconds: 4000)])
    }

    @Test mutating func `a reply ends its request once`() {
        _ = client.connected(at: .zero)
        _ = ask()
        // A worker that echoes the body sends the request's own flags back.
        let control = ControlFrame(id: id, flags: .idempotent, attempts: 2, queuedMicroseconds: 9)
        let reply = final([Frame(text: "done")], of: control)
        #expect(client.received(reply, at: .zero) == [.end(id, .reply(control, [Frame(text: "done")]))])
        #expect(client.received(reply, at: .zero) == [])
        #expect(client.ticked(at: .seconds(9)) == [])
        #expect(client.disconnected(at: .seconds(9)) == [.reopen])
        #expect(client.nextDeadline == nil)
    }

    @Test mutating func `an answer of another version ends its request at once`() {
        _ = client.connected(at: .zero)
        _ = ask()
        var control = ControlFrame(id: id).encoded()
        control[4] = 2
        let frames = ClientMessage.final(
            service: Frame(text: "echo"), body: [control + [0, 0, 7], Frame(text: "done")]
        ).encoded(.v02)
        #expect(client.received(frames, at: .zero) == [.end(id, .refused(.malformed, attempts: 0))])
        #expect(client.received(frames, at: .zero) == [])
    }

    @Test(arguments: Refusal.allCases) mutating func `a refusal ends its request`(_ refusal: Refusal) {
        _ = client.connected(at: .zero)
        _ = ask()
        let control = ControlFrame(id: id, flags: .refused, attempts: 3)
        let frames = final([Frame(text: refusal.rawValue)], of: control)
        #expect(client.received(frames, at: .zero) == [.end(id, .refused(refusal, attempts: 3))])
        #expect(client.received(frames, at: .zero) == [])
    }

    @Test mutating func `a message that is no reply to an open request changes nothing`() {
        _ = client.connected(at: .zero)
        _ = ask()
        let control = ControlFrame(id: id)
        let service = Frame(text: "echo")
        let foreign = final([], of: ControlFrame(id: RequestID(query: 9, call: 9)))
        let part = ClientMessage.partial(service: service, body: [control.encoded()]).encoded(.v02)
        let plain = ClientMessage.final(service: service, body: [Frame(text: "200")]).encoded(.v02)
        for frames in [foreign, part, plain, [], [Frame(text: "noise")]] {
            #expect(client.received(frames, at: .zero) == [])
        }
        #expect(client.received(final([], of: control), at: .zero) == [.end(id, .reply(control, []))])
    }

    @Test mutating func `a request ends at its deadline and not before`() {
        _ = client.connected(at: .zero)
        _ = ask(deadline: .seconds(5))
        #expect(client.nextDeadline == .seconds(5))
        #expect(client.ticked(at: .milliseconds(4999)) == [])
        #expect(client.ticked(at: .seconds(5)) == [.end(id, .deadlinePassed)])
        #expect(client.received(final([], of: ControlFrame(id: id)), at: .seconds(5)) == [])
        #expect(client.ticked(at: .seconds(6)) == [])
    }

    @Test mutating func `a request without time left ends at once`() {
        _ = client.connected(at: .zero)
        #expect(ask(deadline: .seconds(1), at: .seconds(1)) == [.end(id, .deadlinePassed)])
        #expect(client.nextDeadline == nil)
    }

    @Test mutating func `an idempotent request is repeated with the same id`() {
        _ = client.connected(at: .zero)
        _ = ask()
        #expect(client.disconnected(at: .seconds(1)) == [.reopen])
        #expect(client.disconnected(at: .seconds(1)) == [], "the loss is reported once")
        #expect(client.connected(at: .seconds(2)) == [request(milliseconds: 3000)])
    }

    @Test mutating func `a request that is not idempotent ends with its connection`() {
        _ = client.connected(at: .zero)
        _ = ask(isIdempotent: false)
        #expect(client.disconnected(at: .seconds(1)) == [.reopen, .end(id, .brokerLost)])
        #expect(client.connected(at: .seconds(2)) == [])
    }

    @Test mutating func `a request that was never sent survives the loss of a connection`() {
        _ = client.connected(at: .zero)
        _ = client.disconnected(at: .zero)
        #expect(ask(isIdempotent: false) == [])
        #expect(client.connected(at: .zero) == [request(isIdempotent: false)])
        #expect(client.disconnected(at: .seconds(1)) == [.reopen, .end(id, .brokerLost)], "now it has been sent")
    }

    @Test mutating func `a second report of the same connection repeats no request`() {
        _ = client.connected(at: .zero)
        _ = ask(isIdempotent: false)
        #expect(client.connected(at: .seconds(1)) == [])
    }

    @Test mutating func `without a broker, requests end after the grace period and not before`() {
        _ = client.connected(at: .zero)
        _ = ask()
        _ = client.disconnected(at: .seconds(1))
        #expect(client.nextDeadline == .seconds(3))
        #expect(client.ticked(at: .milliseconds(2999)) == [])
        #expect(client.ticked(at: .seconds(3)) == [.end(id, .brokerLost)])
        #expect(client.connected(at: .seconds(4)) == [])
    }

    @Test mutating func `requests end after the grace period if no broker was ever connected`() {
        _ = ask()
        #expect(client.ticked(at: .milliseconds(1999)) == [])
        #expect(client.ticked(at: .seconds(2)) == [.end(id, .brokerLost)])
    }

    @Test mutating func `a deadline within the grace period ends the request once`() {
        _ = ask(deadline: .seconds(2))
        #expect(client.ticked(at: .seconds(2)) == [.end(id, .deadlinePassed)])
    }

    @Test mutating func `a cancelled request is cancelled at the broker and has no ending`() {
        _ = client.connected(at: .zero)
        _ = ask()
        let bytes = Array(ControlFrame(id: id).encoded()[8..<24])
        let message = ClientMessage.request(service: Frame(text: "mmi.cancel"), body: [bytes])
        #expect(client.cancelled(id, at: .zero) == [.send(.client(.v02, message))])
        #expect(client.received(final([], of: ControlFrame(id: id)), at: .zero) == [])
        #expect(client.ticked(at: .seconds(9)) == [])
        #expect(client.cancelled(id, at: .zero) == [])
    }

    @Test mutating func `a cancelled request that was never sent is forgotten`() {
        _ = ask()
        #expect(client.cancelled(id, at: .zero) == [])
        #expect(client.connected(at: .zero) == [])
    }
}
