import Contracts
import Envelope
import Logging
import Majordomo
import MajordomoBus
import MessageBus
import ProcessKit
import TestSupport

@testable import BrokerCore

/// A real broker with endpoints on loopback tcp in addition to its ipc endpoints, and its own key folder.
struct NetworkScene {
    struct NoFreePorts: Error {}

    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    let local: BusScene
    let endpoints: BrokerEndpoints
    let keys: KeyFolder

    /// - Parameters:
    ///   - isInsecure: clear text instead of keys.
    ///   - beforeServing: is called when the broker accepts connections and reads nothing yet.
    static func run(
        isInsecure: Bool = false, maxConnections: Int = 10_000,
        beforeServing: @escaping @Sendable (BrokerEndpoints) async -> Void = { _ in },
        _ body: (NetworkScene) async throws -> Void
    ) async throws {
        for _ in 0..<50 {
            // Three consecutive ports below the kernel's ephemeral range; binding shows whether they are free.
            let address = "tcp://127.0.0.1:\(Int.random(in: 20_000..<32_000))"
            do {
                return try await BusScene.run { local in
                    let keys = try KeyFolder("\(local.folder)/keys", Environment([:]))
                    _ = try keys.makeServerKeys()
                    let listener = try NetworkListener(at: address, keys: isInsecure ? nil : keys, logger: logger)
                    let endpoints = listener.endpoints
                    try await local.withBroker(
                        network: listener, maxConnections: maxConnections,
                        beforeServing: { await beforeServing(endpoints) }
                    ) {
                        try await body(NetworkScene(local: local, endpoints: listener.endpoints, keys: keys))
                    }
                }
            } catch let error as StartupError where error.exitStatus == ExitStatus.unavailable {
                continue
            }
        }
        throw NoFreePorts()
    }

    /// The credentials of a program whose keys are made for it; it is listed until `unlist`.
    ///
    /// - Parameter service: of a worker.
    func credentials(
        of name: String, _ role: Role = .stackOperator, service: String? = nil
    ) throws -> BrokerCredentials {
        _ = try keys.makeKeys(of: role, named: name, service: service)
        return try BrokerCredentials(
            secretKey: KeyFile("\(keys.folder(of: role, service: service))/\(name).key", .secret).text(),
            brokerKey: KeyFile(keys.serverPublicKey, .public).text())
    }

    func withBus(
        _ instance: String, _ credentials: BrokerCredentials?, _ body: (MessageBus) async throws -> Void
    ) async throws {
        try await withMessageBus(configuration(instance, credentials), body)
    }

    func configuration(_ instance: String, _ credentials: BrokerCredentials?) -> BusConfiguration {
        let broker = MajordomoConfiguration(endpoints: endpoints, credentials: credentials)
        return BusConfiguration(broker, instance: instance)
    }

    /// The broker's status, once it satisfies the condition.
    func status(of bus: MessageBus, until isReached: (BrokerStatus.Broker) -> Bool) async throws -> BrokerStatus.Broker
    {
        while true {
            let status = try await bus.workers(deadline: .now + .seconds(10)).broker
            if let status, isReached(status) { return status }
            await Task.yield()
        }
    }

    /// The number of connections that the broker has ended, by reason.
    func endedConnections(_ bus: MessageBus) async throws -> [String: Int] {
        try await status(of: bus) { _ in true }.endedConnections
    }
}

extension MessageBus {
    /// Serves "echo" while the body runs, which starts when the service is available to the observer.
    func withEcho(seenBy observer: MessageBus? = nil, _ body: () async throws -> Void) async throws {
        let worker = worker(BusWorkerOptions(service: "echo", capacity: 4))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await worker.serve { Envelope(header: $0.envelope.header, payload: $0.envelope.payload) }
            }
            try await (observer ?? self).awaitService("echo")
            try await body()
            group.cancelAll()
        }
    }
}

extension EventStream {
    /// Every event up to and including the next of that kind.
    func events(upTo kind: String) async throws -> [Event] {
        var events: [Event] = []
        while events.last?.kind != kind, let (stamped, _) = try await next() { events.append(stamped.event) }
        return events
    }
}

extension Event {
    static func test(_ kind: String) -> Event { Event(at: 0, kind: kind, source: "test/1") }
}
