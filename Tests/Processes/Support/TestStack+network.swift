extension TestStack {
    func broker(_ arguments: String...) async throws -> CommandResult { try await broker(arguments) }

    func broker(_ arguments: [String]) async throws -> CommandResult {
        try await command(Repository.binaries + "/broker", arguments).run()
    }

    /// Runs a broker on three free ports, and runs the body once it answers.
    ///
    /// - Parameters:
    ///   - ready: the environment of a client that it authorises.
    ///   - descriptors: its limit of open descriptors; nil keeps the tests' limit.
    func withBroker(
        _ arguments: [String], ready: [String: String], descriptors: Int? = nil,
        _ body: (_ address: String) async throws -> Void
    ) async throws {
        for _ in 0..<5 {
            // Below the kernel's ephemeral ports. A broker ends at once if one of its three ports is in use.
            let address = "tcp://127.0.0.1:\(Int.random(in: 20_000..<32_000))"
            let limit = descriptors.map { "ulimit -n \($0) && " } ?? ""
            let script = limit + "exec \"$0\" \"$@\""
            let words = [try Repository.binaries + "/broker", "--bind", address] + arguments
            let isDone = try await command("bash", ["-c", script] + words).reading { _ in
                let answer = try await gateway("workers", "--broker", address, environment: ready)
                guard answer.status == 0 else { return false }
                try await body(address)
                return true
            }
            if isDone { return }
        }
        throw NotStarted(description: "the broker answered at none of five addresses")
    }
}
