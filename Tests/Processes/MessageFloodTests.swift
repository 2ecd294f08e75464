import Testing

extension ProcessTests.LifecycleTests {
    /// A short flood of the built broker; `Tests/Tools/Flood/flood` sends a million messages in the same way.
    @Suite struct MessageFloodTests {
        @Test func `a flood of bad messages loses no request and affects no other peer`() async throws {
            let flood = try await Command(
                path: Repository.root + "/Tests/Tools/Flood/flood",
                arguments: ["--messages", "20000", "--bin", Repository.binaries]
            ).run()
            #expect(flood.status == 0, "\(flood)")
            #expect(flood.output.contains("It holds"))
            // It reached every branch of the decoders, and every error.
            let branches = [
                "client_request", "worker_ready", "worker_partial", "worker_final", "worker_heartbeat",
                "worker_disconnect",
            ]
            let faults = [
                "header", "client_command", "client_service", "worker_command", "worker_service", "worker_order",
                "worker_address", "control",
            ]
            for (line, names) in [("branches", branches), ("faults", faults)] {
                let reported = flood.output.split(separator: "\n").first { $0.hasPrefix(line) }
                for name in names { #expect(reported?.contains(name) == true, "\(name) in \(reported ?? "no line")") }
            }
        }
    }
}
