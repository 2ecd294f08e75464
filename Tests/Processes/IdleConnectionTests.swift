import Foundation
import TestSupport
import Testing

extension ProcessTests.LifecycleTests {
    /// Peers that connect and send nothing, many more than the broker has descriptors.
    @Suite(.serialized) struct IdleConnectionTests {
        static let descriptors = 1024
        static let connections = 2000

        #if os(Linux)
            @Test func `idle Unix connections neither end the broker nor lose an answer`() async throws {
                try await TestStack.inRunFolder { stack in
                    let up = try await stack.shell(
                        "ulimit -n \(Self.descriptors) && exec '\(Repository.launcher)' up --demo --bin \"$BIN\"")
                    try #require(up.status == 0, "\(up)")
                    let broker = try await stack.pid(of: "broker/1")
                    let sockets = ["broker", "events-in", "events"].map { "ipc://\(stack.runFolder)/\($0).ipc" }
                    try await stack.upstream.withLatency(milliseconds: 1000) {
                        let question = Task {
                            try await stack.json(
                                "show", "2016-03-01", "--top", "3", "--timeout", "30", as: ChartAnswer.self)
                        }
                        try await stack.withIdleConnections(Self.connections, to: sockets) {
                            #expect(try await stack.answered("ping", "--timeout", "10").status == 0)
                            let answer = try await question.value
                            #expect(answer.complete)
                        }
                    }
                    #expect(try await stack.answered("ping", "--timeout", "10").status == 0)
                    #expect(try await stack.pid(of: "broker/1") == broker)
                    let ended = try await stack.endedConnections()
                    #expect(ended["too_many", default: 0] > 0, "\(ended)")
                }
            }

            @Test func `the memory of the broker is bounded`() async throws {
                try await TestStack.run { stack in
                    let broker = try await stack.pid(of: "broker/1")
                    let limits = try String(contentsOfFile: "/proc/\(broker)/limits", encoding: .utf8)
                    #expect(limits.contains(#/Max data size +1073741824 +1073741824 /#), "\(limits)")
                }
            }

            @Test func `idle TCP connections do not end the broker`() async throws {
                try await TestStack.inRunFolder { stack in
                    let clearText = ["BOXOFFICE_INSECURE": "1"]
                    try await stack.withBroker(
                        ["--insecure"], ready: clearText, descriptors: Self.descriptors
                    ) { address in
                        let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
                        let endpoints = (port...port + 2).map { "tcp://127.0.0.1:\($0)" }
                        try await stack.withIdleConnections(Self.connections, to: endpoints) {
                            for arguments in [[], ["--broker", address]] {
                                let result = try await stack.gateway(
                                    ["workers", "--timeout", "10"] + arguments, environment: clearText)
                                #expect(result.status == 0, "\(result)")
                            }
                        }
                        // The same process as before, since its counters start with it.
                        let ended = try await stack.endedConnections()
                        #expect(ended["too_many", default: 0] > 0, "\(ended)")
                    }
                }
            }
        #endif
    }
}

extension TestStack {
    /// Runs `body` while that many idle connections are open.
    fileprivate func withIdleConnections<Result: Sendable>(
        _ count: Int, to endpoints: [String], _ body: () async throws -> Result
    ) async throws -> Result {
        let program = try Repository.root + "/Tests/Tools/Flood/idle_client.py"
        return try await command(program, ["\(count)"] + endpoints).reading { lines in
            let line = try await lines.next()
            #expect(line == #"{"opened": \#(count)}"#)
            return try await body()
        }
    }

    /// How many connections the broker has ended, by reason.
    fileprivate func endedConnections() async throws -> [String: Int] {
        struct Status: Decodable {
            struct Figures: Decodable {
                let endedConnections: [String: Int]
            }

            let broker: Figures
        }
        let status: Status = try await json("workers")
        return status.broker.endedConnections
    }
}
