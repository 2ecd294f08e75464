import Testing

@testable import Majordomo

/// The three machines together, over connections that break, with a broker that crashes and workers that stand still.
@Suite(.timeLimit(.minutes(1))) struct RandomWalkTests {
    private static let capacity = 2

    private final class Walk {
        let world: RandomWorld
        let clients = [RandomClient(number: 1), RandomClient(number: 2)]
        let workers = (1...3).map { RandomWorker(instance: "echo/\($0)", capacity: RandomWalkTests.capacity) }

        init(seed: UInt64) { world = RandomWorld(seed: seed) }

        func rest(for duration: Duration) {
            let end = world.now + duration
            while world.now < end {
                world.advance()
                for client in clients { client.advance(in: world) }
                for worker in workers { worker.advance(in: world) }
            }
        }

        func live(for duration: Duration) {
            let end = world.now + duration
            while world.now < end {
                act()
                rest(for: RandomWorld.step)
            }
        }

        private func act() {
            for client in clients {
                if world.dice.hits(oneIn: 8) {
                    client.ask(
                        world.dice.hits(oneIn: 20) ? "nobody" : "echo", isIdempotent: world.dice.hits(oneIn: 2),
                        within: world.dice.duration(200...4000), in: world)
                }
                if world.dice.hits(oneIn: 100) { client.cancelLatest(in: world) }
            }
            if world.dice.hits(oneIn: 60) { world.links.randomElement(using: &world.dice).map(world.breakLink) }
            if world.dice.hits(oneIn: 800) { world.crashBroker() }
            for worker in workers {
                if world.dice.hits(oneIn: 500) { worker.pause(in: world) }
                if world.dice.hits(oneIn: 500) { worker.drain(in: world) }
            }
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func everyRequestEndsOnceAndTheBusHeals(_ seed: UInt64) {
        let walk = Walk(seed: seed)
        walk.live(for: .seconds(20))
        walk.rest(for: .seconds(10))

        let calls = walk.clients.flatMap(\.calls)
        #expect(calls.count > 300)
        for (id, call) in calls {
            #expect(call.endings.count == (call.isCancelled ? 0 : 1), "\(id)")
            for (ending, time) in call.endings {
                #expect(time <= call.deadline + RandomWorld.step, "\(id) ended late")
                if case .reply(let control, let content) = ending {
                    #expect(control.id == id)
                    #expect(content == RandomClient.answer(to: id))
                }
            }
            let begun = walk.workers.reduce(0) { $0 + ($1.begun[id] ?? 0) }
            if !call.isIdempotent { #expect(begun <= 1, "\(id) must not be repeated") }
        }
        let kinds = Set(calls.flatMap(\.value.endings).map { Self.name(of: $0.ending) })
        #expect(kinds.isSuperset(of: ["reply", "refused", "brokerLost"]), "the walk saw every fate")
        #expect(walk.workers.allSatisfy { $0.mostAtOnce <= Self.capacity })

        #expect(walk.world.broker.entries.isEmpty)
        #expect(walk.world.broker.entryByRequest.isEmpty)
        let report = walk.world.broker.report(at: .zero)
        #expect(report.workers.map(\.instance) == walk.workers.map(\.instance))
        #expect(report.workers.allSatisfy { $0.capacity == Self.capacity }, "each by its own options again")

        let last = walk.clients.flatMap { client in
            (1...5).map { _ in (client, client.ask("echo", isIdempotent: false, within: .seconds(4), in: walk.world)) }
        }
        walk.rest(for: .seconds(5))
        #expect(
            last.allSatisfy { client, id in client.calls[id]?.endings.map { Self.name(of: $0.ending) } == ["reply"] })
    }

    @Test func theSameSeedIsTheSameWalk() {
        func fates(_ seed: UInt64) -> [String] {
            let walk = Walk(seed: seed)
            walk.live(for: .seconds(5))
            return walk.clients.flatMap(\.calls).map { "\($0.key) \($0.value.endings)" }.sorted()
        }
        let first = fates(1)
        #expect(first == fates(1))
        #expect(first != fates(2))
    }

    private static func name(of ending: ClientStateMachine.Ending) -> String {
        switch ending {
        case .reply: "reply"
        case .refused: "refused"
        case .deadlinePassed: "deadlinePassed"
        case .brokerLost: "brokerLost"
        }
    }
}
