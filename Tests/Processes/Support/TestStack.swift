import Foundation
import Majordomo
import MajordomoBus
import MessageBus
import TestSupport
import Testing

/// A demo stack of the built binaries, started by the launcher in a run folder of its own.
struct TestStack: Sendable {
    struct NotStarted: Error, CustomStringConvertible {
        let description: String
    }

    /// Keys in the environment of the tests; a demo stack does not use them.
    static let usersKeys = [
        "KOBIS_API_KEY": "users0kobis0key0users0kobis0key0", "KAKAO_REST_API_KEY": "users0kakao0key0",
    ]

    let runFolder: String

    /// For clients of the stack within the test's process.
    var transport: any TransportConfiguration {
        MajordomoConfiguration(
            endpoints: BrokerEndpoints(
                requests: "ipc://\(runFolder)/broker.ipc", eventsIn: "ipc://\(runFolder)/events-in.ipc",
                events: "ipc://\(runFolder)/events.ipc"))
    }

    /// Runs `body` with a running stack, and stops the stack before returning.
    ///
    /// - Parameters:
    ///   - options: options of `up`, such as `detail-fetcher=4`.
    ///   - environment: the environment of all its processes.
    static func run<Result: Sendable>(
        _ options: [String] = [], environment: [String: String] = [:], _ body: (TestStack) async throws -> Result
    ) async throws -> Result {
        try await inRunFolder { stack in
            try await stack.up(options, environment: environment)
            return try await body(stack)
        }
    }

    /// Runs `body` with an empty run folder, and ends whatever `body` starts there.
    static func inRunFolder<Result: Sendable>(_ body: (TestStack) async throws -> Result) async throws -> Result {
        // Short: a socket's path has at most 103 bytes.
        var template = Array("/tmp/bx-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw NotStarted(description: "no folder in /tmp: errno \(errno)") }
        let stack = TestStack(runFolder: String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self))
        do {
            let result = try await body(stack)
            await stack.end()
            return result
        } catch {
            await stack.end()
            throw error
        }
    }

    func up(_ options: [String] = [], environment: [String: String] = [:]) async throws {
        var command = try command(
            Repository.launcher,
            ["up", "--demo", "--bin", Repository.binaries, "--recordings", Fixtures.recordings] + options)
        // In the run folder, where tests search for what must not be stored.
        command.environment["BOXOFFICE_RECORD"] = runFolder + "/recorded"
        command.environment.merge(environment) { $1 }
        let result = try await command.run()
        guard result.status == 0 else { throw NotStarted(description: "compose/stack up: \(result)") }
    }

    /// Ends the stack, also after a failed test.
    private func end() async {
        // A task of its own, since a test that timed out is cancelled and cannot start a process.
        await Task {
            let result = try? await launcher(["down"])
            if result?.status != 0 { Issue.record("compose/stack down: \(result.map(\.description) ?? "not run")") }
        }.value
        try? FileManager.default.removeItem(atPath: runFolder)
    }

    /// Runs `compose/stack`, in English.
    func launcher(_ arguments: [String]) async throws -> CommandResult {
        try await command(Repository.launcher, ["--lang", "en"] + arguments).run()
    }

    func gateway(_ arguments: String..., environment: [String: String?] = [:]) async throws -> CommandResult {
        try await gateway(arguments, environment: environment)
    }

    func gateway(_ arguments: [String], environment: [String: String?] = [:]) async throws -> CommandResult {
        var command = try command(Repository.binaries + "/gateway", arguments)
        command.environment.merge(environment) { $1 }
        return try await command.run()
    }

    /// Runs a command that must succeed.
    @discardableResult
    func answered(
        _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> CommandResult {
        let result = try await command(Repository.binaries + "/gateway", arguments).run()
        #expect(result.status == 0, "\(result)", sourceLocation: sourceLocation)
        return result
    }

    /// Runs a command with `--json`, and ignores its exit status.
    func json<Answer: Decodable>(_ arguments: String..., as _: Answer.Type = Answer.self) async throws -> Answer {
        try await command(Repository.binaries + "/gateway", arguments + ["--json"]).run().decoded()
    }

    func tap(_ arguments: String..., environment: [String: String?] = [:]) async throws -> CommandResult {
        var command = try command(Repository.binaries + "/tap", ["--lang", "en"] + arguments)
        command.environment.merge(environment) { $1 }
        return try await command.run()
    }

    /// A shell command in the stack's environment, with the binaries' folder as `$BIN`.
    @discardableResult
    func shell(_ script: String) async throws -> CommandResult {
        var command = try command("bash", ["-c", script])
        command.environment["BIN"] = try Repository.binaries
        return try await command.run()
    }

    func command(_ path: String, _ arguments: [String]) throws -> Command {
        var environment: [String: String?] = [
            "BOXOFFICE_RUN": runFolder, "BOXOFFICE_BROKER": nil, "BOXOFFICE_INSTANCE": nil, "BOXOFFICE_LOG": nil,
            "BOXOFFICE_CACHE_DIR": nil, "BOXOFFICE_CAPACITY": nil, "KOBIS_API_KEY_FILE": nil,
            "KAKAO_REST_API_KEY_FILE": nil, "BOXOFFICE_KEYS": nil, "BOXOFFICE_KEY_FILE": nil,
            "BOXOFFICE_BROKER_KEY_FILE": nil, "BOXOFFICE_CA_FILE": nil, "BOXOFFICE_INSECURE": nil,
            "BOXOFFICE_PROTOCOL": nil, "FORCE_COLOR": nil,
            // The test runner may set it, depending on its own terminal.
            "NO_COLOR": nil,
            "LC_ALL": "C.UTF-8", "BOXOFFICE_CONFIG": "/dev/null",
            // They are calls that no test asks for.
            "BOXOFFICE_ARCHIVE_LOOKS": "0",
        ]
        environment.merge(Self.usersKeys) { $1 }
        return Command(path: path, arguments: arguments, environment: environment)
    }

    var upstream: UpstreamSwitches {
        get throws {
            let base = try String(contentsOfFile: runFolder + "/demo-upstream.url", encoding: .utf8)
            return UpstreamSwitches(base: base.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    func processes() async throws -> ProcessTable {
        let result = try await launcher(["ps", "--json"])
        try #require(result.status == 0, "\(result)")
        return try JSONDecoder().decode(ProcessTable.self, from: Data(result.output.utf8))
    }

    /// Waits until nothing is queued or in flight.
    func untilIdle() async throws {
        struct Status: Decodable {
            struct Figures: Decodable {
                let queued: Int
                let inFlight: Int
            }

            let broker: Figures
        }
        var isIdle = false
        while !isIdle {
            let status: Status = try await gateway("workers", "--json").decoded()
            isIdle = status.broker.queued == 0 && status.broker.inFlight == 0
        }
    }

    func pid(of instance: String) async throws -> pid_t {
        try #require(await processes().pid(of: instance), "\(instance) does not run")
    }

    /// Kills one instance without notice, as a crash would.
    func crash(_ instance: String) async throws {
        #expect(try await kill(pid(of: instance), SIGKILL) == 0)
    }
}
