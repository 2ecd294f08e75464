import Envelope
import MessageBus
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct LossTests {
    @Test(arguments: BusKind.allCases)
    func `an idempotent request of a lost worker is redelivered to another`(
        kind: BusKind
    ) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                let (began, hasBegun) = AsyncStream.makeStream(of: Void.self)
                try await scene.withBus("client/1") { bus in
                    let answer = try await withThrowingTaskGroup(of: String?.self) { group in
                        group.addTask { try await bus.ask("job", timeout: .seconds(20)) }
                        group.addTask {
                            // This worker is lost during the request: its task is cancelled after the request began.
                            try await runDyingWorker(scene, hasBegun, until: began)
                            try await runSuccessor(scene)
                            return nil
                        }
                        var answer: String?
                        while answer == nil, let result = try await group.next() { answer = result }
                        group.cancelAll()
                        return answer
                    }
                    #expect(answer == "done")
                }
            }
        }
    }

    private func runSuccessor(_ scene: BusScene) async throws {
        try await scene.withBus("job/2") { bus in
            try await bus.worker(BusWorkerOptions(service: "job", capacity: 1)).serve { request in
                Envelope(header: request.envelope.header, payload: Array("done".utf8))
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `a restarted broker serves requests again`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBus("echo/1") { workerBus in
                let worker = workerBus.worker(BusWorkerOptions(service: "echo", capacity: 4))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await worker.serve { Envelope(header: $0.envelope.header, payload: $0.envelope.payload) }
                    }
                    try await scene.withBus("client/1") { bus in
                        for round in ["first", "second"] {
                            try await scene.withBroker { () async throws in
                                // Queued in the broker until the worker has registered again.
                                #expect(try await bus.ask("echo", round) == round)
                            }
                        }
                    }
                    group.cancelAll()
                }
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `a draining worker answers its requests and accepts no more`(kind: BusKind)
        async throws
    {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                let (release, held) = AsyncStream.makeStream(of: Void.self)
                let (began, hasBegun) = AsyncStream.makeStream(of: Void.self)
                try await scene.withBus("job/1") { workerBus in
                    let worker = workerBus.worker(BusWorkerOptions(service: "job", capacity: 4))
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            try await worker.serve { request in
                                hasBegun.yield()
                                for await _ in release {}
                                return Envelope(header: request.envelope.header, payload: Array("done".utf8))
                            }
                        }
                        try await scene.withBus("client/1") { bus in
                            async let asked = bus.ask("job", timeout: .seconds(20))
                            var begun = began.makeAsyncIterator()
                            await begun.next()
                            worker.drain()
                            held.finish()
                            let answer = try await asked
                            #expect(answer == "done")
                        }
                        // `serve` returns because the worker is drained.
                        try await group.next()
                    }
                }
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `a request that a draining worker returns is redelivered to its successor`(
        kind: BusKind
    ) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                let (parked, isParked) = AsyncStream.makeStream(of: Void.self)
                let (leaving, leave) = AsyncStream.makeStream(of: Void.self)
                try await scene.withBus("job/1") { workerBus in
                    let worker = workerBus.worker(BusWorkerOptions(service: "job", capacity: 4))
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            try await worker.serve { _ throws(RequestReturned) in
                                isParked.yield()
                                for await _ in leaving {}
                                throw RequestReturned()
                            }
                        }
                        try await scene.withBus("client/1") { bus in
                            async let asked = bus.ask("job", timeout: .seconds(20))
                            for await _ in parked { break }
                            worker.drain()
                            leave.finish()
                            // It disconnects although one of its requests has no answer.
                            try await group.next()
                            group.addTask { try await runSuccessor(scene) }
                            #expect(try await asked == "done")
                        }
                        group.cancelAll()
                    }
                }
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `no request is lost or processed twice when one of two workers drains`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                let processed = Mutex<[String: Int]>([:])
                let handler: @Sendable (IncomingRequest) async -> [UInt8] = { request in
                    let text = String(decoding: request.envelope.payload, as: UTF8.self)
                    processed.withLock { $0[text, default: 0] += 1 }
                    return request.envelope.payload
                }
                try await scene.withWorker("echo", instance: "echo/1", handler: handler) { leaving in
                    try await scene.withWorker("echo", instance: "echo/2", handler: handler) { _ in
                        try await scene.withBus("client/1") { bus in
                            try await withThrowingTaskGroup(of: Void.self) { group in
                                for lane in 0..<20 {
                                    group.addTask {
                                        for number in 0..<20 {
                                            if lane == 0, number == 5 { leaving.drain() }
                                            let text = "\(lane).\(number)"
                                            let answer = try await bus.ask("echo", text, isIdempotent: false)
                                            #expect(answer == text)
                                        }
                                    }
                                }
                                try await group.waitForAll()
                            }
                        }
                    }
                }
                #expect(processed.withLock { $0.count } == 400)
                #expect(processed.withLock { $0.values.max() } == 1)
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `a worker that drains before there is a bus ends`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBus("echo/1") { bus in
                let worker = bus.worker(BusWorkerOptions(service: "echo", capacity: 1))
                async let served: Void = worker.serve { Envelope(header: $0.envelope.header) }
                worker.drain()
                try await served
            }
        }
    }

    private func runDyingWorker(
        _ scene: BusScene, _ hasBegun: AsyncStream<Void>.Continuation, until began: AsyncStream<Void>
    ) async throws {
        try await scene.withBus("job/1") { bus in
            let worker = bus.worker(BusWorkerOptions(service: "job", capacity: 1))
            try await withThrowingTaskGroup(of: Void.self) { (group) async throws in
                group.addTask {
                    try await worker.serve { request in
                        hasBegun.yield()
                        // Never answers; ends only by cancellation.
                        let (never, _) = AsyncStream.makeStream(of: Void.self)
                        for await _ in never {}
                        return Envelope(header: request.envelope.header)
                    }
                }
                var begun = began.makeAsyncIterator()
                await begun.next()
                group.cancelAll()
            }
        }
    }
}
