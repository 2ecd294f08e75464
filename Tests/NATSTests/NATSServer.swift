import Foundation
import Synchronization

/// A real server of NATS on loopback, for one test.
final class NATSServer: Sendable {
    struct NotStarted: Error {}

    private let process = Mutex<Process?>(nil)
    private let port: Mutex<Int> = Mutex(-1)
    private let folder: String

    private init(folder: String) {
        self.folder = folder
    }

    /// Runs `body` with a folder for a server that is not started yet.
    static func run(_ body: (NATSServer) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/nats-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let server = NATSServer(folder: folder)
        defer {
            server.kill()
            try? FileManager.default.removeItem(atPath: folder)
        }
        try await body(server)
    }

    /// Of the last start.
    var url: String { "nats://127.0.0.1:\(port.withLock { $0 })" }

    /// Starts the server, on the port of its last start, and waits until it listens.
    func start(maxPayload: Int = 1 << 20) async throws {
        let known = port.withLock { $0 }
        let configuration = "\(folder)/server.conf"
        try Data("max_payload: \(maxPayload)\n".utf8).write(to: URL(fileURLWithPath: configuration))
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        child.arguments = [
            "nats-server", "--addr", "127.0.0.1", "--port", "\(known)", "--ports_file_dir", folder, "--config",
            configuration,
        ]
        child.standardError = FileHandle.nullDevice
        try child.run()
        process.withLock { $0 = child }
        let file = "\(folder)/nats-server_\(child.processIdentifier).ports"
        while true {
            if let listening = Self.port(in: file) {
                port.withLock { $0 = listening }
                return
            }
            guard child.isRunning else { throw NotStarted() }
            await Task.yield()
        }
    }

    /// The file that the server writes when it listens: {"nats":["nats://127.0.0.1:4222"],…}.
    private static func port(in file: String) -> Int? {
        struct Ports: Decodable { let nats: [String] }
        guard let bytes = FileManager.default.contents(atPath: file),
            let ports = try? JSONDecoder().decode(Ports.self, from: bytes)
        else { return nil }
        return ports.nats.first.flatMap(URL.init(string:))?.port
    }

    var isRunning: Bool { process.withLock { $0?.isRunning == true } }

    func signal(_ number: Int32) {
        process.withLock { child in
            guard let child, child.isRunning else { return }
            Foundation.kill(child.processIdentifier, number)
        }
    }

    /// Ends the server at once, and waits for its end.
    func kill() {
        signal(SIGCONT)
        signal(SIGKILL)
        process.withLock { child in
            child?.waitUntilExit()
            child = nil
        }
    }
}
