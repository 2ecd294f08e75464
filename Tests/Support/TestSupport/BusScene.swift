public import BrokerCore
import Envelope
public import Majordomo
import MajordomoBus
public import MessageBus
import NATS
import ServiceLifecycle

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What carries the messages of a scene.
public enum BusKind: Sendable, CaseIterable {
    /// Our broker.
    case majordomo
    /// A real server of NATS.
    case nats
}

/// A real broker on ipc sockets in a folder of its own, or a real server of NATS, for one test.
public struct BusScene: Sendable {
    public let endpoints: BrokerEndpoints
    public let folder: String
    private let timing: MajordomoTiming
    private let server: NATSServer?

    /// - Parameter timing: of the broker and of all processes.
    public static func run(
        _ kind: BusKind = .majordomo, timing: MajordomoTiming = MajordomoTiming(),
        _ body: (BusScene) async throws -> Void
    ) async throws {
        guard kind == .nats else { return try await run(over: nil, timing: timing, body) }
        try await NATSServer.run { server in
            try server.reservePort()
            try await run(over: server, timing: timing, body)
        }
    }

    private static func run(
        over server: NATSServer?, timing: MajordomoTiming, _ body: (BusScene) async throws -> Void
    ) async throws {
        let folder = "/tmp/bus-\(UInt64.random(in: 0 ... .max))"
        // The permissions that a run folder must have.
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let scene = BusScene(
            endpoints: BrokerEndpoints(
                requests: "ipc://\(folder)/broker.ipc", eventsIn: "ipc://\(folder)/events-in.ipc",
                events: "ipc://\(folder)/events.ipc"), folder: folder, timing: timing, server: server)
        try await body(scene)
    }

    /// Runs a broker while the body runs; throws the error that keeps the broker from starting.
    ///
    /// - Parameter beforeServing: is called when the broker accepts connections and reads nothing yet.
    public func withBroker(
        network: NetworkListener? = nil, maxConnections: Int = 10_000,
        beforeServing: @escaping @Sendable () async -> Void = {}, _ body: () async throws -> Void
    ) async throws {
        if let server {
            try await server.start(maxPayload: 4 << 20, hasJetStream: true)
            defer { server.kill() }
            return try await body()
        }
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { isReady.finish() }
                try await BrokerService(
                    endpoints: endpoints, network: network, timing: timing, maxConnections: maxConnections
                ) {
                    await beforeServing()
                    isReady.yield()
                }.run()
            }
            var starts = ready.makeAsyncIterator()
            if await starts.next() == nil { try await group.next() }
            try await body()
            group.cancelAll()
        }
    }

    /// The transport of all processes of the scene.
    package var transport: any TransportConfiguration {
        if let server {
            var nats = NATSConfiguration(servers: [server.url])
            nats.dispatch.noInstanceGrace = min(nats.dispatch.noInstanceGrace, timing.noWorkerGrace)
            nats.dispatch.serverGrace = timing.brokerGrace
            return nats
        }
        var broker = MajordomoConfiguration(endpoints: endpoints)
        broker.timing = timing
        return broker
    }

    /// The address of the bus.
    public var address: String { server?.url ?? endpoints.requests }

    public func withBus(
        _ instance: String, _ body: (MessageBus) async throws -> Void
    ) async throws {
        try await withMessageBus(BusConfiguration(transport, instance: instance), body)
    }

    /// Runs a worker of `service`, and runs the body once the broker knows it.
    public func withWorker(
        _ service: String, instance: String, capacity: Int = 8,
        handler: @escaping @Sendable (IncomingRequest) async -> [UInt8],
        _ body: (any BusWorker) async throws -> Void
    ) async throws {
        try await withBus(instance) { bus in
            let worker = bus.worker(BusWorkerOptions(service: service, capacity: capacity))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await worker.serve { request in
                        Envelope(header: request.envelope.header, payload: await handler(request))
                    }
                }
                try await bus.awaitService(service)
                try await body(worker)
                group.cancelAll()
            }
        }
    }
}

extension MajordomoTiming {
    /// What is missing is noticed within half a second; for tests of absent services and brokers.
    public static var brief: MajordomoTiming {
        var timing = MajordomoTiming()
        (timing.noWorkerGrace, timing.brokerGrace) = (.milliseconds(500), .milliseconds(500))
        return timing
    }
}

extension MessageBus {
    /// Asks the broker until it knows the service.
    public func awaitService(_ service: String) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await !hasWorker(for: service, deadline: deadline) {
            await Task.yield()
        }
    }

    public func ask(
        _ service: String, _ payload: String = "", timeout: Duration = .seconds(10), isIdempotent: Bool = true
    ) async throws -> String {
        let request = BusRequest(
            service: service, kind: "test.ask", trace: .root(), payload: Array(payload.utf8),
            isIdempotent: isIdempotent)
        let reply = try await self.request(request, deadline: .now + timeout)
        return String(decoding: reply.envelope.payload, as: UTF8.self)
    }
}
