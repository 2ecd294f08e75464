import Foundation
import Testing

/// The output of `compose/stack ps --json`.
struct ProcessTable: Decodable, Sendable {
    struct Row: Decodable, Sendable {
        let service: String
        let instance: String
        let pid: pid_t?
        let state: String
    }

    let demo: Bool
    let supervisor: pid_t
    let keeper: pid_t
    let brokerReached: Bool
    let processes: [Row]

    func pid(of instance: String) -> pid_t? {
        processes.first { $0.instance == instance }?.pid
    }

    var pids: [pid_t] { [supervisor, keeper] + processes.compactMap(\.pid) }

    func count(of service: String) -> Int {
        processes.count { $0.service == service }
    }
}

/// Whether a process of that id runs; a zombie does not count.
func isRunning(_ pid: pid_t) -> Bool {
    guard kill(pid, 0) == 0 else { return false }
    #if os(Linux)
        let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        return status.map { !$0.contains("State:\tZ") } ?? false
    #else
        return true
    #endif
}

#if os(Linux)
    /// The resident memory of a process.
    func residentBytes(of pid: pid_t) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = try #require(status.firstMatch(of: /VmRSS:\s+([0-9]+) kB/))
        return try #require(Int(line.1)) * 1024
    }
#endif

/// Runs `body` while a process is suspended, as under a debugger or while swapped out.
func whileStopped<Result>(_ pid: pid_t, _ body: () async throws -> Result) async throws -> Result {
    #expect(kill(pid, SIGSTOP) == 0)
    defer { kill(pid, SIGCONT) }
    return try await body()
}

/// Runs `body` while a process gets only a tenth of the CPU time.
func whileSlow<Result: Sendable>(_ pid: pid_t, _ body: () async throws -> Result) async throws -> Result {
    let script = "while kill -STOP \(pid); do sleep 0.09; kill -CONT \(pid); sleep 0.01; done"
    let throttle = Task { try await Command(path: "bash", arguments: ["-c", script]).run() }
    let result: Swift.Result<Result, any Error>
    do {
        result = .success(try await body())
    } catch {
        result = .failure(error)
    }
    throttle.cancel()
    _ = await throttle.result
    #expect(kill(pid, SIGCONT) == 0)
    return try result.get()
}
