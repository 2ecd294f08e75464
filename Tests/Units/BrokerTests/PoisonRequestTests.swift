import Envelope
import Majordomo
import MessageBus
import Synchronization
import TestSupport
import Testing
import ZeroMQ

@testable import BrokerCore

/// A request that crashes each worker that handles it, over real sockets: the worker's connection ends without a
/// DISCONNECT.
@Suite(.timeLimit(.minutes(1))) struct PoisonRequestTests {
    private final class Count: Sendable {
        let value = Atomic(0)
    }

    private static let capacity = 4

    @Test func `a poison request crashes three workers and never a fourth`() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                let crashes = Count()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...2 {
                        group.addTask {
                            try await Self.work(as: "echo/\(number)", in: scene) {
                                crashes.value.add(1, ordering: .relaxed)
                            }
                        }
                    }
                    try await scene.withBus("client/1") { bus in
                        try await bus.awaitService("echo")
                        let stream = try await bus.subscribe()
                        async let others = Self.ask(50, bus)
                        #expect(await Self.failure(of: "poison", bus) == .workerLost)
                        #expect(crashes.value.load(ordering: .relaxed) == 3)
                        let quarantined = try await stream.events(upTo: "broker.request_quarantined").last
                        #expect(quarantined?.attributes["kind"] == "test.ask")
                        #expect(quarantined?.attributes["service"] == "echo")
                        // From any client, and however often, without a dispatch.
                        try await scene.withBus("client/2") { other in
                            for _ in 1...3 { #expect(await Self.failure(of: "poison", other) == .workerLost) }
                        }
                        #expect(crashes.value.load(ordering: .relaxed) == 3)
                        #expect(try await others == 50)
                        #expect(try await bus.ask("echo", "안녕") == "안녕")
                        await stream.close()
                    }
                    group.cancelAll()
                }
            }
        }
    }

    /// Sends that many requests concurrently, each with its own payload.
    private static func ask(_ count: Int, _ bus: MessageBus) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<count { group.addTask { try await bus.ask("echo", "\(number)") == "\(number)" } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
    }

    private static func failure(of payload: String, _ bus: MessageBus) async -> FailureCode? {
        do {
            _ = try await bus.ask("echo", payload)
            return nil
        } catch {
            return (error as? Failure)?.code
        }
    }

    /// A worker and its supervisor: after each crash another process of the same name replaces it.
    private static func work(
        as instance: String, in scene: BusScene, whenCrashed: @escaping @Sendable () -> Void
    ) async throws {
        while !Task.isCancelled {
            // The end of the context closes everything, like the end of a process.
            try await withContext { context in
                try await withSocket(.dealer, in: context) { (socket) async throws in
                    try await socket.connect(scene.endpoints.requests)
                    let options = WorkerOptions(
                        instance: instance, capacity: capacity, heartbeatInterval: .seconds(1),
                        process: .random(in: 0 ... .max))
                    try await send(.ready(service: Frame(text: "echo"), extra: [options.encoded]), over: socket)
                    while let frames = try await socket.receive() {
                        switch WorkerMessage.fromBroker(frames) {
                        case .request(_, let body) where body.content.contains(Frame(text: "poison")):
                            return whenCrashed()
                        case .request(let ticket, let body):
                            try await send(.final(ticket: ticket, body: body), over: socket)
                        case .heartbeat: try await send(.heartbeat(extra: []), over: socket)
                        default: break
                        }
                    }
                }
            }
        }
    }

    private static func send(_ message: WorkerMessage, over socket: Socket) async throws {
        _ = try await socket.send(try #require(message.encoded(.v02)))
    }
}
