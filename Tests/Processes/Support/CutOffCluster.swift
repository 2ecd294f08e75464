import Foundation
import TestSupport

/// Three servers of NATS, of which one is in a network namespace of its own and can be cut off from the others.
struct CutOffCluster {
    struct NotStarted: Error, CustomStringConvertible {
        let description: String
    }

    /// Whether this user and this kernel may make a namespace.
    static let isPossible: Bool = {
        let name = "bx-try-\(getpid())"
        defer { _ = try? ip("netns", "del", name) }
        return (try? ip("netns", "add", name)) == 0
    }()

    /// The address of all three.
    let address: String
    private let namespace: String

    /// Runs `body` with the servers, and ends them and their network afterwards.
    static func run(_ body: (CutOffCluster) async throws -> Void) async throws {
        let number = Int.random(in: 1...250)
        let (namespace, near, far) = ("bx-ns-\(number)", "bxa\(number)", "bxb\(number)")
        let (nearHost, farHost) = ("10.213.\(number).1", "10.213.\(number).2")
        defer { _ = try? ip("netns", "del", namespace) }
        for words in [
            ["netns", "add", namespace], ["link", "add", near, "type", "veth", "peer", "name", far],
            ["link", "set", far, "netns", namespace], ["addr", "add", "\(nearHost)/30", "dev", near],
            ["link", "set", near, "up"], ["-n", namespace, "addr", "add", "\(farHost)/30", "dev", far],
            ["-n", namespace, "link", "set", far, "up"], ["-n", namespace, "link", "set", "lo", "up"],
        ] {
            guard try ip(words) == 0 else { throw NotStarted(description: "ip \(words.joined(separator: " "))") }
        }
        let folder = FileManager.default.temporaryDirectory.path + "/cluster-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ports = try freePorts(6)
        // The near ones reach each other over the loopback, which no fault cuts.
        let routes = [
            ["127.0.0.1:\(ports[4])", "\(farHost):\(ports[5])"], ["127.0.0.1:\(ports[3])", "\(farHost):\(ports[5])"],
            ["\(nearHost):\(ports[3])", "\(nearHost):\(ports[4])"],
        ]
        var servers: [Process] = []
        defer {
            for server in servers {
                kill(server.processIdentifier, SIGKILL)
                server.waitUntilExit()
            }
        }
        let program = try await Repository.newServers() + "/nats-server"
        for index in 0..<3 {
            let text = """
                server_name: nats-\(index + 1)
                listen: "0.0.0.0:\(ports[index])"
                max_payload: 4MB
                ping_interval: "500ms"
                ping_max: 2
                jetstream { store_dir: "\(folder)/\(index)", max_file_store: 256MB }
                cluster {
                  name: cut, listen: "0.0.0.0:\(ports[3 + index])", no_advertise: true
                  routes: [\(routes[index].map { "\"nats://\($0)\"" }.joined(separator: ", "))]
                }
                """
            let configuration = "\(folder)/\(index).conf"
            try Data(text.utf8).write(to: URL(filePath: configuration))
            let server = Process()
            server.executableURL = URL(filePath: "/usr/bin/env")
            let start = [program, "--config", configuration]
            server.arguments = index < 2 ? start : ["ip", "netns", "exec", namespace] + start
            server.standardError = FileHandle.nullDevice
            try server.run()
            servers.append(server)
        }
        let hosts = ["127.0.0.1:\(ports[0])", "127.0.0.1:\(ports[1])", "\(farHost):\(ports[2])"]
        try await body(CutOffCluster(address: "nats://" + hosts.joined(separator: ","), namespace: namespace))
    }

    /// Drops every packet to and from the far server, without a word to either side.
    func cut() throws { try setLink("down") }

    func restore() throws { try setLink("up") }

    private func setLink(_ state: String) throws {
        let far = "bxb" + namespace.dropFirst("bx-ns-".count)
        guard try Self.ip("-n", namespace, "link", "set", far, state) == 0 else {
            throw NotStarted(description: "the link cannot be set \(state)")
        }
    }

    private static func ip(_ words: String...) throws -> Int32 { try ip(words) }

    private static func ip(_ words: [String]) throws -> Int32 {
        let command = Process()
        command.executableURL = URL(filePath: "/usr/bin/env")
        command.arguments = ["ip"] + words
        command.standardError = FileHandle.nullDevice
        try command.run()
        command.waitUntilExit()
        return command.terminationStatus
    }

    /// Different ports that are free now.
    private static func freePorts(_ count: Int) throws -> [Int] {
        var ports: Set<Int> = []
        while ports.count < count { ports.insert(try NATSServer.freePort()) }
        return Array(ports)
    }
}
