import Envelope
import Foundation
import Majordomo
import MajordomoBus
import MessageBus

/// The plain broker of the Python tests: one version of Majordomo without our extensions.
struct PlainBroker: Sendable {
    struct NotReady: Error, CustomStringConvertible {
        let description = "the plain broker did not say that it is ready"
    }

    let version: MajordomoConfiguration.ProtocolVersion
    let folder: String

    /// Runs `body` with an endpoint of its own, where nothing listens yet.
    static func inFolder(
        _ version: MajordomoConfiguration.ProtocolVersion, _ body: (PlainBroker) async throws -> Void
    ) async throws {
        let folder = "/tmp/plain-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(PlainBroker(version: version, folder: folder))
    }

    /// Serves while `body` runs.
    func running<Result: Sendable>(
        _ options: String..., body: () async throws -> Result
    ) async throws -> Result {
        let program = try Repository.root + "/Tests/Tools/Conformance/plain_broker.py"
        let arguments = ["--version", version.rawValue] + options + ["ipc://\(folder)/broker.ipc"]
        return try await Command(path: program, arguments: arguments).reading { lines in
            guard try await lines.next()?.hasPrefix("ready ") == true else { throw NotReady() }
            return try await body()
        }
    }

    func bus<Result: Sendable>(
        _ instance: String, _ body: (MessageBus) async throws -> Result
    ) async throws -> Result {
        let endpoints = BrokerEndpoints(
            requests: "ipc://\(folder)/broker.ipc", eventsIn: "ipc://\(folder)/events-in.ipc",
            events: "ipc://\(folder)/events.ipc")
        var broker = MajordomoConfiguration(endpoints: endpoints)
        broker.version = version
        return try await withMessageBus(BusConfiguration(broker, instance: instance), body)
    }
}

extension MessageBus {
    /// The reply of the worker "echo" to a word.
    func echo(_ word: String, within timeout: Duration = .seconds(20)) async throws -> String {
        let request = BusRequest(service: "echo", kind: "test.echo", trace: .root(), payload: Array(word.utf8))
        let reply = try await self.request(request, deadline: .now + timeout)
        return String(decoding: reply.envelope.payload, as: UTF8.self)
    }

    /// Echoes words, and reports the change in the number of requests in progress.
    func serveEcho(_ worker: any BusWorker, working: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
        try await worker.serve { request in
            working(1)
            await Task.yield()
            working(-1)
            return Envelope(header: request.envelope.header, payload: request.envelope.payload)
        }
    }
}
