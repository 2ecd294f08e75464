import BrokerMachine
import Majordomo
import MessageBus
import Testing

@Suite struct RegistrationTests {
    let scene = BrokerScene()
    private var instances: [String] { scene.broker.report(at: scene.now).workers.map(\.instance) }

    @Test func `a heartbeat agrees to our options at once`() {
        let options = WorkerOptions(
            instance: "chart-fetcher/1", capacity: 32, heartbeatInterval: .milliseconds(500), isExclusive: true)
        scene.say(.ready(service: Frame(text: "chart"), extra: [options.encoded]), as: "worker")
        #expect(scene.heard(by: "worker") == [.heartbeat(extra: [options.encoded])])
        let report = scene.broker.report(at: scene.now).workers
        #expect(report.map(\.instance) == ["chart-fetcher/1"])
        #expect(report.map(\.capacity) == [32])
    }

    @Test func `unreadable options make a plain worker`() {
        let extra = [Frame(text: "capacity=0")]
        scene.say(.ready(service: Frame(text: "chart"), extra: extra), as: "worker")
        #expect(scene.heard(by: "worker").isEmpty, "the broker must not agree to them")
        #expect(scene.broker.report(at: scene.now).workers.map(\.capacity) == [1])
    }

    @Test func `an exclusive worker prevents further registrations`() {
        scene.join("first", isExclusive: true)
        scene.join("second")
        #expect(scene.heard(by: "second") == [.disconnect(extra: [Frame(text: "exclusive")])])
        #expect(instances == ["first"])
        scene.join("elsewhere", "another", isExclusive: true)
        #expect(instances == ["elsewhere", "first"])
    }

    @Test func `an exclusive worker does not join others`() {
        scene.join("first")
        scene.join("second", isExclusive: true)
        #expect(scene.heard(by: "second") == [.disconnect(extra: [Frame(text: "exclusive")])])
        #expect(instances == ["first"])
    }

    @Test(arguments: MajordomoVersion.allCases)
    func `a plain worker is refused with the DISCONNECT of its RFC`(_ version: MajordomoVersion) {
        scene.join("first", isExclusive: true)
        scene.joinPlainly("second", "echo", version)
        #expect(scene.taken(by: "second") == [WorkerMessage.disconnect(extra: []).encoded(version)])
    }

    /// Without leading zeros, the addresses 01 11 and 11 01 would give the same name.
    @Test func `two plain workers never have the same name`() {
        scene.joinPlainly("\u{1}\u{11}")
        scene.joinPlainly("\u{11}\u{1}")
        #expect(instances == ["echo/plain-000111", "echo/plain-001101"])
    }

    @Test func `an exclusive service is free after its worker left`() {
        scene.join("first", isExclusive: true)
        scene.say(.disconnect(extra: []), as: "first")
        scene.join("second", isExclusive: true)
        #expect(instances == ["second"])
    }

    @Test func `the same instance on a second connection expels the first`() throws {
        scene.join("old", instance: "cache-store/1", isExclusive: true)
        scene.ask()
        _ = scene.heard(by: "old")
        scene.join("new", instance: "cache-store/1", isExclusive: true)
        #expect(scene.heard(by: "old") == [.disconnect(extra: [])])
        #expect(scene.dispatches(to: "new").map { $0.control?.attempts } == [2])
        #expect(instances == ["cache-store/1"])
    }

    @Test(
        arguments: [(1, 2, true), (1, 1, false), (1, nil, false), (nil, 1, false)] as [(UInt64?, UInt64?, Bool)])
    func `only another process of the same name dismisses a worker`(
        _ first: UInt64?, _ second: UInt64?, _ isDismissed: Bool
    ) {
        scene.join("old", instance: "cache-store/1", process: first)
        _ = scene.heard(by: "old")
        scene.join("new", instance: "cache-store/1", process: second)
        #expect(scene.heard(by: "old") == [.disconnect(extra: isDismissed ? [Frame(text: "doubled")] : [])])
    }

    @Test func `a second READY on one connection ends the registration`() {
        scene.join("worker")
        scene.ask()
        _ = scene.heard(by: "worker")
        scene.join("worker")
        #expect(scene.heard(by: "worker") == [.disconnect(extra: [])])
        #expect(instances.isEmpty)
        scene.join("heir")
        #expect(scene.dispatches(to: "heir").count == 1)
    }

    @Test func `a REQUEST from a worker is answered with DISCONNECT`() {
        scene.join("worker")
        _ = scene.heard(by: "worker")
        scene.say(.request(ticket: [1], body: []), as: "worker")
        #expect(scene.heard(by: "worker") == [.disconnect(extra: [])])
        #expect(instances.isEmpty)
    }

    @Test(arguments: [
        WorkerMessage.heartbeat(extra: []), .final(ticket: [1], body: []), .partial(ticket: [1], body: []),
    ])
    func `an unregistered peer is disconnected`(_ message: WorkerMessage) {
        scene.say(message, as: "unauthenticatedPeer")
        #expect(scene.heard(by: "unauthenticatedPeer") == [.disconnect(extra: [])])
        #expect(scene.count(of: .unregistered) == 1)
    }

    @Test func `a DISCONNECT before READY gets no answer`() {
        scene.say(.disconnect(extra: []), as: "unauthenticatedPeer")
        #expect(scene.taken(by: "unauthenticatedPeer").isEmpty)
    }

    @Test func `a worker gets no messages after its DISCONNECT`() {
        scene.join("worker", heartbeat: .milliseconds(500))
        scene.ask(call: 1)
        scene.say(.disconnect(extra: []), as: "worker")
        _ = scene.taken(by: "worker")
        scene.ask(call: 2)
        scene.advance(by: .seconds(5))
        #expect(scene.taken(by: "worker").isEmpty)
    }

    @Test func `a draining worker finishes its requests and gets no more`() throws {
        scene.join("worker", capacity: 2)
        scene.ask(call: 1)
        let dispatch = try #require(scene.dispatches(to: "worker").first)
        scene.say(.heartbeat(extra: [Frame(text: "drain")]), as: "worker")
        #expect(scene.heard(by: "worker") == [.heartbeat(extra: [Frame(text: "drain")])], "the broker grants the drain")
        scene.ask(call: 2)
        #expect(scene.dispatches(to: "worker").isEmpty)
        scene.finish(dispatch, as: "worker")
        #expect(scene.answers().map(\.call) == [1])
        #expect(scene.dispatches(to: "worker").isEmpty)
        scene.say(.disconnect(extra: []), as: "worker")
        scene.join("heir")
        let next = scene.dispatches(to: "heir")
        #expect(next.map(\.call) == [2])
        #expect(next.map { $0.control?.attempts } == [1])
    }
}
