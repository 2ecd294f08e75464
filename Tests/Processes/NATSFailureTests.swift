import Foundation
import TestSupport
import Testing

extension ProcessTests.NATSLifecycleTests {
    /// The second column of the table of failures: the same faults, and those of servers, over three servers of NATS.
    @Suite(.serialized, .stackOnNATS) struct NATSFailureTests {
        static let servers = ["nats-server/1", "nats-server/2", "nats-server/3"]
        static let instances = ["cache-store/1", "chart-fetcher/1", "detail-fetcher/1", "poster-resolver/1"]
        // The servers are alike, and so are two fetchers: `compose/test --all` takes each in turn.
        static let slow = Repository.runsAll ? instances + servers : ["cache-store/1", "nats-server/1"]
        static let suspended =
            Repository.runsAll
            ? ["detail-fetcher/1", "poster-resolver/1"] + servers : ["poster-resolver/1", "nats-server/2"]
        static let retired = Repository.runsAll ? servers : ["nats-server/3"]

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        /// Requests a refresh, and runs `deed` once it is under way: the chart is being fetched, or details and posters.
        private func show(
            _ day: String, hurting instance: String,
            _ deed: (pid_t, () async throws -> CommandResult) async throws -> CommandResult
        ) async throws -> (CommandResult, ChartAnswer) {
            let pid = try await stack.pid(of: instance)
            try await stack.untilEventsAreReadable()
            let ended = try await stack.watching { feed in
                try await stack.untilEventsAreStored(&feed)
                return try await stack.upstream.withLatency(milliseconds: 300) {
                    let question = Task { [stack] in
                        try await stack.gateway("show", day, "--top", "4", "--refresh", "--timeout", "20", "--json")
                    }
                    let started = try await feed.first("query.started") { $0.says("command", "show") }
                    try await feed.first(instance == "chart-fetcher/1" ? "part.requested" : "part.arrived") {
                        $0.query == started.query
                    }
                    return try await deed(pid) { try await question.value }
                }
            }
            try await stack.untilAllAnswer()
            return (ended, try ended.decoded())
        }

        @Test(arguments: zip(instances + servers, 1...7))
        func `a killed instance or server leaves no part missing`(instance: String, day: Int) async throws {
            let (ended, answer) = try await show("2016-03-0\(day)", hurting: instance) { pid, result in
                #expect(kill(pid, SIGKILL) == 0)
                return try await result()
            }
            #expect(ended.status == 0 && answer.complete, "\(answer.flaws) \(ended)")
        }

        @Test(arguments: zip(slow, 1...7))
        func `a slow instance or server leaves no part missing`(instance: String, day: Int) async throws {
            let (ended, answer) = try await show("2016-05-0\(day)", hurting: instance) { pid, result in
                try await whileSlow(pid, result)
            }
            #expect(ended.status == 0 && answer.complete, "\(answer.flaws) \(ended)")
        }

        @Test(arguments: zip(suspended, 1...5))
        func `a suspended instance beside another, or a server, leaves no part missing`(instance: String, day: Int)
            async throws
        {
            let (ended, answer) = try await show("2016-07-0\(day)", hurting: instance) { pid, result in
                try await whileStopped(pid) {
                    let first = try await result()
                    let next: ChartAnswer = try await stack.json("show", "2016-07-1\(day)", "--top", "2", "--refresh")
                    #expect(next.complete)
                    return first
                }
            }
            #expect(ended.status == 0 && answer.complete, "\(answer.flaws) \(ended)")
        }

        @Test func `a suspended cache-store is reported and then bypassed`() async throws {
            let (ended, answer) = try await show("2016-08-01", hurting: "cache-store/1") { pid, result in
                try await whileStopped(pid) {
                    let first = try await result()
                    let next = try await stack.gateway("chart", "2016-08-02", "--json")
                    let reported: ChartAnswer = try next.decoded()
                    #expect(
                        reported.complete && reported.chart.cache?.detail == "uncached: cache-store is unavailable",
                        "\(next)")
                    return first
                }
            }
            #expect([0, 75].contains(ended.status), "\(ended)")
            #expect(answer.complete || answer.failures.contains("timeout"), "\(ended)")
            let again: ChartAnswer = try await stack.json("show", "2016-08-01", "--top", "4")
            #expect(again.complete)
        }

        @Test func `the suspended only instance of a service is reported and used again`() async throws {
            let (ended, answer) = try await show("2016-11-01", hurting: "chart-fetcher/1") { pid, result in
                try await whileStopped(pid) {
                    let first = try await result()
                    let next = try await stack.gateway("chart", "2016-11-02", "--json")
                    let reported: ChartAnswer = try next.decoded()
                    #expect(next.status == 69 && reported.chart.failure?.isRetryable == true, "\(next)")
                    return first
                }
            }
            #expect(ended.status == 69 && answer.chart.failure?.isRetryable == true, "\(ended)")
            let again: ChartAnswer = try await stack.json("chart", "2016-11-01")
            #expect(again.complete)
        }

        @Test(arguments: zip(retired, 1...3))
        func `a server that retires for maintenance leaves no part missing`(server: String, day: Int) async throws {
            let (ended, answer) = try await show("2016-09-0\(day)", hurting: server) { pid, result in
                // Lame duck mode: it takes no connections, and ends those that it has within seconds.
                #expect(kill(pid, SIGUSR2) == 0)
                let first = try await result()
                while kill(pid, 0) == 0 {
                    let next: ChartAnswer = try await stack.json("show", "2016-09-1\(day)", "--top", "2", "--refresh")
                    #expect(next.complete)
                }
                return first
            }
            #expect(ended.status == 0 && answer.complete, "\(answer.flaws) \(ended)")
        }

        @Test func `without two of three servers answers go on`() async throws {
            let pids = try await [stack.pid(of: "nats-server/1"), stack.pid(of: "nats-server/2")]
            try await whileStopped(pids[0]) {
                try await whileStopped(pids[1]) {
                    // The clients find the third server; without a majority there are no events.
                    try await stack.untilAllAnswer()
                    let answer: ChartAnswer = try await stack.json("show", "2016-12-01", "--top", "2", "--refresh")
                    #expect(answer.complete)
                }
            }
            try await stack.untilAllAnswer()
        }
    }
}
