import Foundation
import Synchronization

/// A real server of NATS on loopback, for one test.
public final class NATSServer: Sendable {
    struct NotStarted: Error {}

    /// With which a program in Go ends after a flaw of its own.
    private static let panicStatus: Int32 = 2

    private let process = Mutex<Process?>(nil)
    private let port: Mutex<Int> = Mutex(-1)
    /// The lines of the configuration that stay until the next start.
    private let fixedSettings = Mutex("")
    /// For files of the server.
    public let folder: String

    private init(folder: String) {
        self.folder = folder
    }

    /// Chooses a port for the first start, so that it is known before.
    public func reservePort() throws {
        let free = try Self.freePort()
        port.withLock { $0 = free }
    }

    /// A port of the loopback that is free now.
    public static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 ? getsockname(descriptor, address, &size) : -1
            }
        }
        guard status == 0 else { throw NotStarted() }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Runs `body` with a folder for a server that is not started yet.
    public static func run(_ body: (NATSServer) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/nats-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let server = NATSServer(folder: folder)
        defer {
            server.kill()
            try? FileManager.default.removeItem(atPath: folder)
        }
        try await body(server)
    }

    /// Of the last start, or of the reserved port.
    public var url: String { url() }

    public func url(scheme: String = "nats", host: String = "127.0.0.1") -> String {
        "\(scheme)://\(host):\(port.withLock { $0 })"
    }

    /// Starts the server, on the port of its last start, and waits until it listens.
    ///
    /// - Parameter settings: further lines of its configuration, until other ones are reloaded.
    public func start(maxPayload: Int? = 1 << 20, hasJetStream: Bool = false, settings: String = "") async throws {
        let known = port.withLock { $0 }
        var lines = ""
        if let maxPayload { lines += "max_payload: \(maxPayload)\n" }
        if hasJetStream { lines += "jetstream { store_dir: \"\(folder)\", max_file: 256MB }\n" }
        fixedSettings.withLock { $0 = lines }
        try configure(settings)
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        child.arguments = [
            "nats-server", "--addr", "127.0.0.1", "--port", "\(known)", "--ports_file_dir", folder, "--config",
            configuration,
        ]
        try Data().write(to: URL(fileURLWithPath: log))
        child.standardError = FileHandle(forWritingAtPath: log)
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

    /// Lets the running server read other settings, and waits until it has applied them.
    public func reload(settings: String) async throws {
        let before = reloads
        try configure(settings)
        signal(SIGHUP)
        while reloads == before {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    private var reloads: Int {
        String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
            .ranges(of: "Reloaded server configuration").count
    }

    private func configure(_ settings: String) throws {
        let lines = fixedSettings.withLock { $0 } + settings
        try Data(lines.utf8).write(to: URL(fileURLWithPath: configuration))
    }

    private var configuration: String { "\(folder)/server.conf" }

    /// Of the last start.
    private var log: String { "\(folder)/server.log" }

    /// The file that the server writes when it listens: {"nats":["nats://127.0.0.1:4222"],…}.
    private static func port(in file: String) -> Int? {
        struct Ports: Decodable { let nats: [String] }
        guard let bytes = FileManager.default.contents(atPath: file),
            let ports = try? JSONDecoder().decode(Ports.self, from: bytes)
        else { return nil }
        return ports.nats.first.flatMap(URL.init(string:))?.port
    }

    public var isRunning: Bool { process.withLock { $0?.isRunning == true } }

    public func signal(_ number: Int32) {
        process.withLock { child in
            guard let child, child.isRunning else { return }
            Foundation.kill(child.processIdentifier, number)
        }
    }

    /// Suspends the server until SIGCONT, and waits until all its threads have stopped: on a busy machine some go on.
    public func suspend() {
        process.withLock { child in
            guard let child, child.isRunning else { return }
            Foundation.kill(child.processIdentifier, SIGSTOP)
            var information = siginfo_t()
            while waitid(P_PID, id_t(child.processIdentifier), &information, WSTOPPED) != 0, errno == EINTR {}
        }
    }

    /// Ends the server at once, and waits for its end.
    public func kill() {
        signal(SIGCONT)
        signal(SIGKILL)
        process.withLock { child in
            child?.waitUntilExit()
            if child?.terminationReason == .exit, child?.terminationStatus == Self.panicStatus {
                FileHandle.standardError.write(FileManager.default.contents(atPath: log) ?? Data())
            }
            child = nil
        }
    }
}
