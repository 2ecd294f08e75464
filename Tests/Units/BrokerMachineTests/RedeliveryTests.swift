import BrokerMachine
import Majordomo
import MessageBus
import Testing

@Suite struct RedeliveryTests {
    enum Loss: CaseIterable {
        case silence, disconnect, undeliverable, expelled, connectionLost

        func apply(_ worker: String, in scene: BrokerScene) {
            switch self {
            case .silence: scene.advance(by: .milliseconds(1500))
            case .disconnect: scene.say(.disconnect(extra: []), as: worker)
            case .undeliverable: scene.fail(toReach: worker)
            case .connectionLost: scene.disconnect(worker)
            case .expelled: scene.join("successor of \(worker)", "another service", instance: worker)
            }
        }
    }

    let scene = BrokerScene()
    private let ours = Duration.milliseconds(500)

    @Test(arguments: Loss.allCases) func `the request of a lost worker is redelivered`(_ loss: Loss) throws {
        scene.join("doomed", heartbeat: ours)
        scene.ask()
        let first = try #require(scene.dispatches(to: "doomed").first)
        scene.join("heir")
        loss.apply("doomed", in: scene)
        let second = try #require(scene.dispatches(to: "heir").first)
        #expect(second.content == first.content)
        #expect(second.control?.attempts == 2)
        #expect(second.ticket != first.ticket)
        #expect(scene.broker.counters.redeliveries == 1)
        scene.finish(second, as: "heir")
        #expect(scene.answers().map(\.content) == [[Frame(text: "done")]])
    }

    @Test(arguments: Loss.allCases) func `a request that is not idempotent fails at once`(_ loss: Loss) {
        scene.join("doomed", heartbeat: ours)
        scene.ask(isIdempotent: false)
        scene.join("heir")
        loss.apply("doomed", in: scene)
        #expect(scene.dispatches(to: "heir").isEmpty)
        #expect(scene.answers().map(\.refusal) == [.workerLost])
    }

    @Test func `a request that is not idempotent may wait for its first worker`() {
        scene.join("doomed")
        scene.ask(call: 1)
        scene.ask(call: 2, isIdempotent: false)
        scene.join("heir", capacity: 2)
        scene.say(.disconnect(extra: []), as: "doomed")
        #expect(scene.dispatches(to: "heir").map(\.call) == [2, 1], "the second was dispatched when the heir joined")
        #expect(scene.answers().isEmpty)
    }

    @Test func `a request is dispatched at most three times`() {
        scene.ask()
        for (attempt, worker) in ["first", "second", "third"].enumerated() {
            #expect(scene.answers().isEmpty)
            scene.join(worker)
            #expect(scene.dispatches(to: worker).map { $0.control?.attempts } == [UInt8(attempt + 1)])
            scene.say(.disconnect(extra: []), as: worker)
        }
        let answers = scene.answers()
        #expect(answers.map(\.refusal) == [.workerLost])
        #expect(answers.map { $0.control?.attempts } == [3])
    }

    @Test func `a partly answered request is not redelivered`() throws {
        scene.join("doomed")
        scene.ask()
        scene.finishPartly(try #require(scene.dispatches(to: "doomed").first), as: "doomed")
        scene.join("heir")
        scene.say(.disconnect(extra: []), as: "doomed")
        #expect(scene.dispatches(to: "heir").isEmpty)
        #expect(scene.answers().map(\.refusal) == [nil, .workerLost])
    }

    @Test func `a PARTIAL that the client cannot get does not prevent redelivery`() throws {
        scene.join("doomed")
        scene.askPlainly("echo", .v01)
        scene.finishPartly(try #require(scene.dispatches(to: "doomed").first), as: "doomed")
        scene.join("heir")
        scene.say(.disconnect(extra: []), as: "doomed")
        #expect(scene.dispatches(to: "heir").count == 1)
    }

    @Test func `redelivered requests go before waiting ones, in their old order`() throws {
        scene.join("doomed", capacity: 3)
        for call in 1...5 as ClosedRange<UInt64> { scene.ask(call: call, by: "client \(call % 2)") }
        scene.say(.disconnect(extra: []), as: "doomed")
        scene.join("heir", capacity: 5)
        #expect(scene.dispatches(to: "heir").map(\.call) == [1, 2, 3, 4, 5])
    }

    @Test func `workers that fall silent together do not get each other's requests`() {
        for worker in ["a", "b", "c", "d"] { scene.join(worker, capacity: 10, heartbeat: ours) }
        for call in 1...4 as ClosedRange<UInt64> { scene.ask(call: call) }
        scene.advance(by: .milliseconds(1500))
        scene.join("heir", capacity: 10)
        let dispatches = scene.dispatches(to: "heir")
        #expect(dispatches.compactMap(\.call).sorted() == [1, 2, 3, 4])
        #expect(dispatches.allSatisfy { $0.control?.attempts == 2 })
        #expect(scene.answers().isEmpty)
    }

    @Test func `an unreachable client loses its answer and nothing else`() throws {
        scene.join("worker")
        scene.ask()
        scene.finish(try #require(scene.dispatches(to: "worker").first), as: "worker")
        scene.fail(toReach: "client")
        #expect(scene.count(of: .undeliverable) == 1)
        scene.ask(call: 2, by: "other")
        #expect(scene.dispatches(to: "worker").map(\.call) == [2])
    }
}
