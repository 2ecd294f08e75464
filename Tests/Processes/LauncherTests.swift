import Foundation
import TestSupport
import Testing

extension ProcessTests.LifecycleTests {
    /// How stacks start, stay isolated, and end.
    @Suite(.serialized) struct LauncherTests {
        @Test func `without a broker every program states how to start one`() async throws {
            let questions = [
                ["gateway", "show"], ["gateway", "chart", "2019-03-15"], ["gateway", "movie", "20199001"],
                ["gateway", "poster", "유리 등대"], ["gateway", "ping"], ["gateway", "workers"], ["tap", "--count", "1"],
            ]
            try await TestStack.inRunFolder { stack in
                try await withThrowingTaskGroup { group in
                    for question in questions {
                        group.addTask {
                            let program = try Repository.binaries + "/" + question[0]
                            let result = try await stack.command(program, Array(question.dropFirst())).run()
                            #expect(result.status == 69, "\(question): \(result)")
                            #expect(result.output.isEmpty, "\(question): \(result)")
                            #expect(result.errors.contains("compose/stack up"), "\(question): \(result)")
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }

        @Test func `a second stack in the same folder is refused`() async throws {
            try await TestStack.run { stack in
                let before = try await stack.processes().pids
                let result = try await stack.launcher(["up", "--demo", "--bin", Repository.binaries])
                #expect(result.status == 69, "\(result)")
                #expect(result.errors.contains("already running") && result.errors.contains("compose/stack down"))
                #expect(try await stack.processes().pids == before)
                try await stack.answered("ping")
            }
        }

        @Test func `two stacks are isolated`() async throws {
            try await TestStack.run { one in
                try await TestStack.run(["detail-fetcher=1"]) { other in
                    let otherPids = try await Set(other.processes().pids)
                    #expect(try await otherPids.isDisjoint(with: one.processes().pids))
                    #expect(try await other.processes().count(of: "detail-fetcher") == 1)
                    #expect(try await one.processes().count(of: "detail-fetcher") == 2)
                    #expect(try one.upstream.base != other.upstream.base)

                    let calls = try await other.upstream.calls {
                        try await one.answered("show", "2018-07-08", "--top", "1")
                    }
                    #expect(calls.isEmpty)
                    let events = try await other.tap("--last", "10000", "--no-follow", "--json")
                    #expect(events.status == 0 && !events.output.contains("query.started"))

                    #expect(try await one.launcher(["down"]).status == 0)
                    try await other.answered("ping")
                    #expect(try await one.gateway("ping").status == 69)
                }
            }
        }

        @Test func `a port in use is reported with a remedy`() async throws {
            try await TestStack.run { one in
                let port = try #require(one.upstream.base.split(separator: ":").last)
                try await TestStack.inRunFolder { other in
                    let up = try await other.launcher(
                        ["up", "--demo", "--bin", Repository.binaries, "--", "--port", String(port)])
                    #expect(up.status == 69 && up.errors.contains("Choose another --port"), "\(up)")
                    let broker = try await other.command(
                        Repository.binaries + "/broker", ["run", "--bind", "tcp://127.0.0.1:\(port)", "--insecure"]
                    ).run()
                    #expect(broker.status == 69 && broker.errors.contains("another address with --bind"), "\(broker)")
                }
            }
        }

        @Test func `down leaves no process and no socket`() async throws {
            try await TestStack.inRunFolder { stack in
                try await stack.up()
                try await stack.answered("show", "2019-03-15")
                let table = try await stack.processes()
                #expect(table.demo && table.brokerReached && table.processes.count == 9)
                #expect(table.processes.allSatisfy { $0.state == "ready" })
                #expect(table.pids.allSatisfy(isRunning))

                let down = try await stack.launcher(["down"])
                #expect(down.status == 0, "\(down)")
                #expect(!table.pids.contains(where: isRunning))
                let left = try FileManager.default.contentsOfDirectory(atPath: stack.runFolder)
                #expect(left.sorted() == ["cache", "data", "log", "recorded"])
                #expect(try await stack.launcher(["ps"]).status == 69)
            }
        }

        @Test(arguments: ["supervisord", "its keeper"])
        func `a stack leaves no process when its supervisor or keeper is killed`(victim: String) async throws {
            try await TestStack.inRunFolder { stack in
                try await stack.up()
                try await stack.answered("show", "2019-03-16", "--top", "1")
                let table = try await stack.processes()
                #expect(kill(victim == "supervisord" ? table.supervisor : table.keeper, SIGKILL) == 0)
                while table.pids.contains(where: isRunning) { try Task.checkCancellation() }
                let left = try FileManager.default.contentsOfDirectory(atPath: stack.runFolder)
                #expect(!left.contains { $0.hasSuffix(".ipc") || $0.hasSuffix(".sock") }, "\(left)")
                #expect(try await stack.gateway("show", "2019-03-16").status == 69)
                #expect(try await stack.launcher(["down"]).status == 0)
            }
        }

        @Test func `a restarted stack still has its cache`() async throws {
            try await TestStack.inRunFolder { stack in
                try await stack.up()
                try await stack.answered("show", "2018-09-10", "--top", "2")
                #expect(try await stack.launcher(["down"]).status == 0)
                try await stack.up()
                let calls = try await stack.upstream.calls {
                    let answer: ChartAnswer = try await stack.json("show", "2018-09-10", "--top", "2")
                    #expect(answer.complete && answer.chart.cache?.hit == true)
                }
                #expect(calls.isEmpty)
            }
        }
    }
}
