import Foundation
import TestSupport
import Testing

extension ProcessTests.LifecycleTests {
    /// Processes that are replaced: drained, doubled, or killed with requests in flight.
    @Suite(.serialized, .stack()) struct ReplacementTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `a drained fetcher completes its work first`() async throws {
            // Read in advance, since reading the process table takes as long as an answer may.
            let processes = try await stack.processes()
            try await stack.watching { feed in
                try await stack.upstream.withLatency(milliseconds: 600) {
                    async let result = stack.gateway("movie", "20199003", "--refresh", "--timeout", "30", "--json")
                    let dispatched = try await feed.first("broker.dispatched") { $0.says("service", "detail-fetcher") }
                    let instance = try #require(dispatched.text("instance"))
                    let pid = try #require(processes.pid(of: instance))
                    try await feed.first("cache.get.answered") { $0.query == dispatched.query }
                    #expect(kill(pid, SIGTERM) == 0)

                    let answered = try await feed.first("broker.answered") { $0.request == dispatched.request }
                    #expect(answered.says("instance", instance))
                    let left = try await feed.first("broker.worker_left") { $0.says("instance", instance) }
                    #expect(left.says("reason", "disconnected"))
                    let ended = try await result
                    let answer: FilmAnswer = try ended.decoded()
                    #expect(answer.complete, "\(ended)")
                    try await feed.first("broker.worker_joined") { $0.says("instance", instance) }
                }
            }
        }

        @Test func `a drained cache-store returns parked requests undelivered`() async throws {
            let processes = try await stack.processes()
            let store = try #require(processes.pid(of: "cache-store/1"))
            try await stack.watching { feed in
                // Longer than an idle lease lasts: without redelivery the wait would end in a second fetch.
                try await stack.upstream.withLatency(milliseconds: 1200) {
                    // Started together: after a slow start of the second there would be nothing to wait for.
                    async let first = stack.gateway("movie", "20199003", "--refresh", "--timeout", "30", "--json")
                    async let second = stack.gateway("movie", "20199003", "--refresh", "--timeout", "30", "--json")
                    var (dispatched, isGranted) = ([TapEvent](), false)
                    while dispatched.count < 2 || !isGranted {
                        let event = try await feed.next()
                        isGranted = isGranted || event.kind == "cache.get.answered"
                        guard event.kind == "broker.dispatched", event.says("service", "cache-store") else { continue }
                        if !dispatched.contains(where: { $0.query == event.query }) { dispatched.append(event) }
                    }
                    #expect(kill(store, SIGTERM) == 0)

                    // The later one was parked: it waited for the lease of the earlier one.
                    let given = try await feed.first("broker.redelivered") { $0.says("from", "cache-store/1") }
                    #expect(given.request == dispatched[1].request)
                    for ended in try await [first, second] {
                        let answer: FilmAnswer = try ended.decoded()
                        #expect(answer.complete, "\(ended)")
                    }
                }
            }
        }

        @Test func `a second process of a name expels the first, and both log it`() async throws {
            let instance = "detail-fetcher/1"
            let first = try await stack.pid(of: instance)
            try await stack.watching { feed in
                var double = try stack.command(Repository.binaries + "/detail-fetcher", [])
                double.environment["BOXOFFICE_INSTANCE"] = instance
                double.environment["KOBIS_BASE_URL"] = try stack.upstream.base + "/kobisopenapi/webservice/rest/"
                async let second = double.run()
                // The first ends; its supervisor restarts it as the second one; then the other one ends.
                for _ in 1...2 {
                    let left = try await feed.first("broker.worker_left") { $0.says("instance", instance) }
                    #expect(left.says("reason", "expelled"))
                    try await feed.first("broker.worker_joined") { $0.says("instance", instance) }
                }
                let ended = try await second
                #expect(ended.status == 69 && ended.output.isEmpty, "\(ended)")
                #expect(ended.errors.contains("another process has registered under this name"), "\(ended)")
            }
            #expect(try await stack.pid(of: instance) != first)
            let log = try await stack.launcher(["logs", instance])
            #expect(log.output.contains("The broker expelled \(instance)"), "\(log)")
            let answer: ChartAnswer = try await stack.json("show", "2005-06-07", "--top", "4")
            #expect(answer.complete)
        }

        @Test func `a second cache-store is refused and logs it`() async throws {
            let first = try await stack.pid(of: "cache-store/1")
            try await stack.answered("chart", "2005-06-08")
            try await stack.watching { feed in
                var other = try stack.command(Repository.binaries + "/cache-store", [])
                other.environment["BOXOFFICE_INSTANCE"] = "cache-store/2"
                other.environment["BOXOFFICE_CACHE_DIR"] = stack.runFolder + "/cache-of-another"
                let ended = try await other.run()
                #expect(ended.status == 69 && ended.output.isEmpty, "\(ended)")
                #expect(ended.errors.contains("another cache-store is registered"), "\(ended)")
                let refused = try await feed.first("broker.worker_refused")
                #expect(refused.says("instance", "cache-store/2") && refused.says("reason", "exclusive"))
            }
            let answer: ChartAnswer = try await stack.json("chart", "2005-06-08")
            #expect(answer.chart.cache?.hit == true)
            #expect(try await stack.pid(of: "cache-store/1") == first)
        }

        @Test func `a broker killed with requests in flight loses no request`() async throws {
            let broker = try await stack.pid(of: "broker/1")
            try await stack.watching { feed in
                try await stack.upstream.withLatency(milliseconds: 250) {
                    try await withThrowingTaskGroup { group in
                        for month in 1...4 {
                            group.addTask {
                                // None of them waits for its end, however slowly a busy machine starts a broker.
                                let result = try await stack.gateway(
                                    "show", "2006-1\(month % 3)-0\(month)", "--json", "--timeout", "30")
                                let answer: ChartAnswer = try result.decoded()
                                #expect(result.status == 0 && answer.complete, "\(result)")
                            }
                        }
                        var asking: Set<String> = []
                        while asking.count < 4 {
                            let event = try await feed.first("broker.dispatched") { !$0.says("service", "cache-store") }
                            if let query = event.query { asking.insert(query) }
                        }
                        #expect(kill(broker, SIGKILL) == 0)
                        try await group.waitForAll()
                    }
                }
            }
            try await stack.untilComplete()
        }

        @Test func `replacing every process one by one loses no request`() async throws {
            let before = try await stack.processes()
            let asked = try await stack.upstream.withLatency(milliseconds: 40) {
                try await stack.underLoad {
                    let result = try await stack.launcher(["restart", "all"])
                    #expect(result.status == 0, "\(result)")
                    #expect(result.lines.count { $0.contains(" replaced in ") } == before.processes.count - 1)
                }
            }
            #expect(asked >= 4)
            let after = try await stack.processes()
            #expect(after.processes.allSatisfy { $0.state == "ready" })
            let kept = after.processes.filter { before.pid(of: $0.instance) == $0.pid }
            #expect(kept.map(\.instance) == ["demo-upstream/1"])
        }
    }
}
