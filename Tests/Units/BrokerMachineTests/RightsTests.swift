import MessageBus
import Testing

@testable import BrokerMachine
@testable import Majordomo

/// What the broker enforces by the identity of a peer.
@Suite struct RightsTests {
    private static let service = Frame(text: "job")
    private static let id = RequestID(query: 1, call: 2)

    private func request(role: UInt8) -> [Frame] {
        var control = ControlFrame(id: Self.id, flags: .idempotent, remainingMilliseconds: 1000)
        control.role = role
        return ClientMessage.request(
            service: Self.service, body: MessageBody(control: control, content: [Frame(text: "work")])
        ).encoded(.v02)
    }

    @Test(arguments: 0...3 as ClosedRange<UInt8>, 0...3 as ClosedRange<UInt8>)
    func `the broker writes the role, whatever the client has written`(role: UInt8, claimed: UInt8) throws {
        let scene = BrokerScene()
        scene.join("worker", "job")
        scene.receive(request(role: claimed), from: "client", rights: PeerRights(role: role, registration: .none))
        let control = try #require(scene.dispatches(to: "worker").first?.control)
        #expect(control.role == role)
        #expect(control.flags.contains(.idempotent))
        #expect(control.id == Self.id)
    }

    @Test(arguments: [
        (PeerRights.Registration.none, false), (.one(service: Frame(text: "other")), false),
        (.one(service: service), true), (.any, true),
    ])
    func `a peer registers only what its rights contain`(registration: PeerRights.Registration, isAllowed: Bool) {
        let scene = BrokerScene()
        let options = WorkerOptions(instance: "job/1", capacity: 1, heartbeatInterval: .seconds(1))
        scene.receive(
            WorkerMessage.ready(service: Self.service, extra: [options.encoded]).encoded(.v02) ?? [], from: "worker",
            rights: PeerRights(role: 2, registration: registration))
        let refusal = WorkerMessage.disconnect(extra: [Frame(text: "forbidden")])
        #expect(scene.heard(by: "worker").contains(refusal) != isAllowed)
        #expect(scene.broker.counters.dropped[.forbidden] == (isAllowed ? nil : 1))
    }

    @Test func `a worker that registers another service, which it may not, is none any more`() {
        let scene = BrokerScene()
        let rights = PeerRights(role: 2, registration: .one(service: Self.service))
        for service in [Self.service, Frame(text: "other")] {
            let ready = WorkerMessage.ready(service: service, extra: []).encoded(.v02)
            scene.receive(ready ?? [], from: "worker", rights: rights)
        }
        #expect(scene.heard(by: "worker") == [.disconnect(extra: [Frame(text: "forbidden")])])
        scene.receive(request(role: 3), from: "client")
        #expect(scene.dispatches(to: "worker").isEmpty)
    }
}
