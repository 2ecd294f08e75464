import BrokerMachine
import Majordomo
import MessageBus
import Testing

/// A body without our control frame: its client gets replies only.
@Suite struct PlainBodyTests {
    let scene = BrokerScene()

    @Test(arguments: MajordomoVersion.allCases)
    func `a plain request waits fifteen seconds for a worker`(_ version: MajordomoVersion) {
        scene.askPlainly("echo", version)
        scene.advance(by: .milliseconds(14_999))
        scene.join("late")
        #expect(scene.dispatches(to: "late").map(\.content) == [[Frame(text: "hello")]])
    }

    @Test(arguments: MajordomoVersion.allCases)
    func `a plain request is dropped after fifteen seconds without an answer`(_ version: MajordomoVersion) {
        scene.askPlainly("echo", version)
        scene.advance(by: .seconds(15))
        scene.join("late")
        #expect(scene.dispatches(to: "late").isEmpty)
        #expect(scene.taken(by: "client").isEmpty)
        #expect(scene.broker.counters.refused == [.expired: 1])
    }

    @Test func `a full queue drops a plain request without an answer`() {
        var timing = MajordomoTiming()
        timing.clientEntries = 1
        let scene = BrokerScene(timing: timing)
        scene.askPlainly()
        scene.askPlainly()
        #expect(scene.taken(by: "client").isEmpty)
        #expect(scene.broker.counters.refused == [.overloaded: 1])
    }

    @Test func `a plain request is dispatched three times, then dropped without an answer`() {
        scene.askPlainly()
        for worker in ["first", "second", "third"] {
            scene.join(worker)
            #expect(scene.dispatches(to: worker).count == 1)
            scene.say(.disconnect(extra: []), as: worker)
        }
        scene.join("fourth")
        #expect(scene.dispatches(to: "fourth").isEmpty)
        #expect(scene.taken(by: "client").isEmpty)
    }

    @Test func `a plain reply is forwarded byte for byte`() throws {
        let reply = [Frame(text: "a"), [], [0, 255]]
        scene.join("worker")
        scene.askPlainly()
        scene.finish(try #require(scene.dispatches(to: "worker").first), as: "worker", content: reply)
        #expect(
            scene.taken(by: "client") == [
                ClientMessage.final(service: Frame(text: "echo"), body: MessageBody(reply)).encoded(.v02)
            ])
    }

    @Test func `two equal plain bodies are two requests`() {
        scene.join("worker", capacity: 2)
        scene.askPlainly()
        scene.askPlainly()
        #expect(scene.dispatches(to: "worker").count == 2)
    }
}
