import Majordomo
import Testing

@Suite struct HandOverTests {
    enum Loss: CaseIterable {
        case silence, disconnect, undeliverable, expelled, connectionLost

        func strike(_ worker: String, in scene: BrokerScene) {
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

    @Test(arguments: Loss.allCases) func aLostWorkersRequestGoesToAnother(_ loss: Loss) throws {
        scene.join("doomed", heartbeat: ours)
        scene.ask()
        let first = try #require(scene.dispatches(to: "doomed").first)
        scene.join("heir")
        loss.strike("doomed", in: scene)
        let second = try #require(scene.dispatches(to: "heir").first)
        #expect(second.content == first.content)
        #expect(second.control?.attempts == 2)
        #expect(second.ticket != first.ticket)
        #expect(scene.broker.counters.redeliveries == 1)
        scene.finish(second, as: "heir")
        #expect(scene.answers().map(\.content) == [[Frame(text: "done")]])
    }

    @Test(arguments: Loss.allCases) func aRequestThatMustNotBeRepeatedFailsAtOnce(_ loss: Loss) {
        scene.join("doomed", heartbeat: ours)
        scene.ask(isIdempotent: false)
        scene.join("heir")
        loss.strike("doomed", in: scene)
        #expect(scene.dispatches(to: "heir").isEmpty)
        #expect(scene.answers().map(\.refusal) == [.workerLost])
    }

    @Test func aRequestThatMustNotBeRepeatedMayWaitForItsFirstWorker() {
        scene.join("doomed")
        scene.ask(call: 1)
        scene.ask(call: 2, isIdempotent: false)
        scene.join("heir", capacity: 2)
        scene.say(.disconnect(extra: []), as: "doomed")
        #expect(scene.dispatches(to: "heir").map(\.call) == [2, 1], "the second went out when the heir came")
        #expect(scene.answers().isEmpty)
    }

    @Test func aRequestIsHandedOutThreeTimesAtMost() {
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

    @Test func whatHasBegunToAnswerIsNotHandedOutAgain() throws {
        scene.join("doomed")
        scene.ask()
        scene.finishPartly(try #require(scene.dispatches(to: "doomed").first), as: "doomed")
        scene.join("heir")
        scene.say(.disconnect(extra: []), as: "doomed")
        #expect(scene.dispatches(to: "heir").isEmpty)
        #expect(scene.answers().map(\.refusal) == [nil, .workerLost])
    }

    @Test func aPartThatItsClientCannotGetHindersNoHandOver() throws {
        scene.join("doomed")
        scene.askPlainly("echo", .v01)
        scene.finishPartly(try #require(scene.dispatches(to: "doomed").first), as: "doomed")
        scene.join("heir")
        scene.say(.disconnect(extra: []), as: "doomed")
        #expect(scene.dispatches(to: "heir").count == 1)
    }

    @Test func whatIsHandedOverGoesBeforeWhatWaitsInItsOldOrder() throws {
        scene.join("doomed", capacity: 3)
        for call in 1...5 as ClosedRange<UInt64> { scene.ask(call: call, by: "client \(call % 2)") }
        scene.say(.disconnect(extra: []), as: "doomed")
        scene.join("heir", capacity: 5)
        #expect(scene.dispatches(to: "heir").map(\.call) == [1, 2, 3, 4, 5])
    }

    @Test func workersThatFallSilentTogetherAreNotHandedEachOthersRequests() {
        for worker in ["a", "b", "c", "d"] { scene.join(worker, capacity: 10, heartbeat: ours) }
        for call in 1...4 as ClosedRange<UInt64> { scene.ask(call: call) }
        scene.advance(by: .milliseconds(1500))
        scene.join("heir", capacity: 10)
        let dispatches = scene.dispatches(to: "heir")
        #expect(dispatches.compactMap(\.call).sorted() == [1, 2, 3, 4])
        #expect(dispatches.allSatisfy { $0.control?.attempts == 2 })
        #expect(scene.answers().isEmpty)
    }

    @Test func aClientThatCannotBeReachedLosesItsAnswerAndNothingElse() throws {
        scene.join("worker")
        scene.ask()
        scene.finish(try #require(scene.dispatches(to: "worker").first), as: "worker")
        scene.fail(toReach: "client")
        #expect(scene.count(of: .undeliverable) == 1)
        scene.ask(call: 2, by: "other")
        #expect(scene.dispatches(to: "worker").map(\.call) == [2])
    }
}
