import Envelope
import Majordomo
import MessageBus
import TestSupport
import Testing
import ZeroMQ

/// How the broker handles a connection that ends without a DISCONNECT, over real sockets.
@Suite(.timeLimit(.minutes(1))) struct LostConnectionTests {
    @Test func `the request of a lost worker is redelivered without waiting for a heartbeat timeout`() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withBus("client/1") { bus in
                    let stream = try await bus.subscribe()
                    let question = Task { try await bus.ask("echo", "안녕", timeout: .seconds(30)) }
                    try await withWorker("echo/1", in: scene) { worker in
                        let request = try await worker.nextRequest()
                        #expect(request != nil)
                    }
                    let left = try await stream.events(upTo: "broker.worker_left").last
                    #expect(left?.attributes["reason"] == "connection_lost" && left?.attributes["instance"] == "echo/1")
                    try await withWorker("echo/2", in: scene) { worker in
                        let request = try #require(try await worker.nextRequest())
                        try await worker.send(worker: .final(ticket: request.ticket, body: request.body))
                        let answer = try await question.value
                        #expect(answer == "안녕")
                    }
                    await stream.close()
                }
            }
        }
    }

    @Test func `a lost client's queued requests are cancelled`() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withBus("observer/1") { observer in
                    let stream = try await observer.subscribe()
                    try await withWorker("echo/1", in: scene) { worker in
                        try await withContext { context in
                            try await withSocket(.dealer, in: context) { (client) async throws in
                                try await client.connect(scene.endpoints.requests)
                                for call in 1...3 as ClosedRange<UInt64> {
                                    let control = ControlFrame(
                                        id: RequestID(query: 1, call: call), flags: .idempotent,
                                        remainingMilliseconds: 60_000)
                                    let request = ClientMessage.request(
                                        service: Frame(text: "echo"), body: [control.encoded()])
                                    _ = try await client.send(request.encoded(.v02))
                                }
                                for _ in 1...3 { _ = try await stream.events(upTo: "broker.queued") }
                                _ = try await worker.nextRequest()
                            }
                        }
                        // The first request is at the worker and is not cancelled.
                        for call in [2, 3] {
                            let cancelled = try await stream.events(upTo: "broker.cancelled").last
                            #expect(cancelled?.request == "0000000000000001000000000000000\(call)")
                        }
                    }
                    await stream.close()
                }
            }
        }
    }

    /// Runs a worker of "echo" that takes one request at a time; at the end its connection ends without DISCONNECT.
    private func withWorker(
        _ instance: String, in scene: BusScene, _ body: @Sendable (Socket) async throws -> Void
    ) async throws {
        try await withContext { context in
            try await withSocket(.dealer, in: context) { (socket) async throws in
                try await socket.connect(scene.endpoints.requests)
                let options = WorkerOptions(instance: instance, capacity: 1, heartbeatInterval: .seconds(60))
                try await socket.send(worker: .ready(service: Frame(text: "echo"), extra: [options.encoded]))
                try await body(socket)
            }
        }
    }
}

extension Socket {
    fileprivate func send(worker message: WorkerMessage) async throws {
        _ = try await send(try #require(message.encoded(.v02)))
    }

    fileprivate func nextRequest() async throws -> (ticket: Frame, body: MessageBody)? {
        while let frames = try await receive() {
            if case .request(let ticket, let body) = WorkerMessage.fromBroker(frames) { return (ticket, body) }
        }
        return nil
    }
}
