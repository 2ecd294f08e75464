import BrokerMachine
import Majordomo
import MessageBus
import Testing

@Suite struct BadMessageTests {
    private static let client = Frame(text: "MDPC02")
    private static let worker = Frame(text: "MDPW02")
    private static let echo = Frame(text: "echo")

    private static let messages: [(frames: [Frame], fault: MessageFault)] = [
        ([], .header), ([[]], .header), ([[], []], .header), ([Frame(text: "MDPC03"), [1], echo], .header),
        ([Frame(text: "MDPC01"), echo], .header), ([[], client, [1], echo], .header),
        ([client], .clientCommand), ([client, []], .clientCommand), ([client, [2], echo], .clientCommand),
        ([client, [3], echo], .clientCommand), ([client, [1, 1], echo], .clientCommand),
        ([client, [1]], .clientService), ([client, [1], []], .clientService),
        ([[], Frame(text: "MDPC01")], .clientService),
        ([client, [1], Frame(repeating: 0x61, count: 256)], .clientService),
        ([client, [1], [0x61, 0xff]], .clientService), ([client, [1], [0xc0, 0x80]], .clientService),
        ([client, [1], Frame(text: "a\nb")], .clientService), ([client, [1], [0x7f]], .clientService),
        ([worker], .workerCommand), ([worker, []], .workerCommand), ([worker, [0]], .workerCommand),
        ([worker, [7]], .workerCommand), ([worker, [1, 1], echo], .workerCommand),
        ([[], Frame(text: "MDPW01"), [6]], .workerCommand),
        ([worker, [1]], .workerService), ([worker, [1], []], .workerService),
        ([worker, [1], [0xff]], .workerService), ([worker, [1], Frame(text: "mmi.echo")], .workerService),
        ([worker, [4]], .workerAddress), ([worker, [4], [1]], .workerAddress),
        ([worker, [4], [1], [1]], .workerAddress), ([worker, [3], [1], [1], []], .workerAddress),
        ([client, [1], echo, Frame(text: "KBOX")], .control),
        ([client, [1], echo, Frame(text: "KBOX") + Frame(repeating: 0, count: 29)], .control),
        ([client, [1], echo, Frame(text: "KBOX") + [2] + Frame(repeating: 0, count: 27)], .control),
        ([client, [1], Frame(text: "mmi.workers"), Frame(text: "KBOX")], .control),
    ]

    @Test(arguments: messages.indices)
    func `a bad message is counted by its fault and reported`(_ index: Int) {
        let (frames, fault) = Self.messages[index]
        let scene = BrokerScene()
        scene.receive(frames, from: "peer")
        #expect(scene.broker.counters.faults == [fault: 1])
        #expect(scene.broker.counters.received.isEmpty, "a message is counted once")
        #expect(scene.count(of: .malformed) == 1)
        #expect(scene.notes.contains(.dropped(.malformed, fault, count: 1)))
        #expect(scene.broker.report(at: .zero).services.isEmpty, "it leaves no record")
    }

    @Test(arguments: [255, 1])
    func `a service name may have up to 255 bytes`(_ count: Int) {
        let scene = BrokerScene()
        let name = String(repeating: "a", count: count)
        scene.join("worker", name)
        scene.ask(name)
        #expect(scene.dispatches(to: "worker").count == 1)
    }

    @Test func `a service name may be Korean`() {
        let scene = BrokerScene()
        scene.join("worker", "영화")
        scene.ask("영화")
        #expect(scene.dispatches(to: "worker").count == 1)
    }

    @Test(arguments: MajordomoVersion.allCases)
    func `a registered worker that sends an unreadable message is disconnected and its request redelivered`(
        _ version: MajordomoVersion
    ) {
        let scene = BrokerScene()
        scene.joinPlainly("worker", "echo", version)
        scene.ask()
        _ = scene.heard(by: "worker")
        let header = Frame(text: version == .v01 ? "MDPW01" : "MDPW02")
        scene.receive((version == .v01 ? [[]] : []) + [header, [99]], from: "worker")
        #expect(scene.heard(by: "worker") == [.disconnect(extra: [])])
        scene.join("other")
        #expect(scene.dispatches(to: "other").count == 1)
    }

    @Test(arguments: MajordomoVersion.allCases)
    func `a second READY is counted and reported`(_ version: MajordomoVersion) {
        let scene = BrokerScene()
        scene.joinPlainly("worker", "echo", version)
        scene.joinPlainly("worker", "echo", version)
        #expect(scene.heard(by: "worker") == [.disconnect(extra: [])])
        #expect(scene.broker.counters.received == [.workerReady: 1])
        #expect(scene.broker.counters.faults == [.workerOrder: 1])
        #expect(scene.notes.contains(.dropped(.malformed, .workerOrder, count: 1)))
    }

    @Test func `an unreadable message of a client gets no answer`() {
        let scene = BrokerScene()
        scene.receive([Self.client, [9]], from: "client")
        #expect(scene.taken(by: "client").isEmpty)
    }

    @Test func `a flood of drops is reported in sums`() {
        let scene = BrokerScene()
        for _ in 1...1000 { scene.receive([[1, 2, 3]], from: "peer") }
        #expect(scene.notes == [.dropped(.malformed, .header, count: 1)])
        scene.receive([Self.client], from: "peer")
        scene.advance(by: .milliseconds(250))
        #expect(
            scene.notes.dropFirst() == [
                .dropped(.malformed, .clientCommand, count: 1), .dropped(.malformed, .header, count: 999),
            ])
        #expect(scene.count(of: .malformed) == 1001)
        scene.advance(by: .seconds(1))
        #expect(scene.notes.count == 3, "a reported drop is not reported again")
    }

    @Test func `every branch of the decoder is counted`() {
        let scene = BrokerScene()
        scene.join("worker")
        scene.ask()
        scene.say(.heartbeat(extra: []), as: "worker")
        let dispatch = scene.dispatches(to: "worker")[0]
        scene.finishPartly(dispatch, as: "worker")
        scene.finish(dispatch, as: "worker")
        scene.say(.disconnect(extra: []), as: "worker")
        #expect(
            scene.broker.counters.received
                == Dictionary(uniqueKeysWithValues: PeerMessage.Kind.allCases.map { ($0, 1) }))
        #expect(scene.broker.counters.faults.isEmpty)
    }
}
