import Envelope
import Majordomo
import MessageBus
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct DismissalTests {
    @Test(arguments: BusKind.allCases)
    func `a second worker of an exclusive service is dismissed`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                try await scene.withExclusiveWorker("store/1") { _ in
                    let dismissal = await #expect(throws: WorkerDismissal.self) { try await scene.serve("store/2") }
                    #expect(dismissal == .exclusive)
                    try await scene.withBus("client/1") { (bus) async throws in
                        #expect(try await bus.ask("store") == "store/1")
                    }
                }
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `a worker whose name another process takes is dismissed`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                try await withThrowingTaskGroup(of: WorkerDismissal?.self) { group in
                    for _ in 0..<2 {
                        group.addTask {
                            do {
                                try await scene.serve("store/1", isExclusive: false)
                                return nil
                            } catch let dismissal as WorkerDismissal {
                                return dismissal
                            }
                        }
                    }
                    #expect(try await group.next() == .some(.doubled))
                    try await scene.withBus("client/1") { (bus) async throws in
                        #expect(try await bus.ask("store") == "store/1", "the other one serves")
                    }
                    group.cancelAll()
                }
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `an exclusive service is free after its worker has left`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                for instance in ["store/1", "store/2"] {
                    try await scene.withExclusiveWorker(instance) { (bus) async throws in
                        #expect(try await bus.ask("store") == instance)
                    }
                }
            }
        }
    }
}

extension BusScene {
    fileprivate func withExclusiveWorker(_ instance: String, _ body: (MessageBus) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await serve(instance) }
            try await withBus("client/of-\(instance)") { bus in
                try await bus.awaitService("store")
                try await body(bus)
            }
            group.cancelAll()
        }
    }

    fileprivate func serve(_ instance: String, isExclusive: Bool = true) async throws {
        try await withBus(instance) { bus in
            let options = BusWorkerOptions(service: "store", capacity: 1, isExclusive: isExclusive)
            try await bus.worker(options).serve { request in
                Envelope(header: request.envelope.header, payload: Array(instance.utf8))
            }
        }
    }
}
