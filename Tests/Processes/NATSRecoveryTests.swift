import Foundation
import TestSupport
import Testing

extension ProcessTests.NATSLifecycleTests {
    /// Processes that crash, leave, join or are replaced while requests are in flight, over three servers of NATS.
    @Suite(.serialized, .stackOnNATS) struct NATSRecoveryTests {
        private static let kindsOfShow: Set = [
            "cache.put.answered", "chart.daily.answered", "movie.detail.answered", "poster.find.answered",
        ]

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        /// Asks for a film, and sends a signal to the detail-fetcher that is calling the upstream for it.
        ///
        /// - Returns: the instance, and what the gateway printed.
        private func ask(_ film: String, sending signal: Int32) async throws -> (instance: String, CommandResult) {
            // Read in advance, since reading the process table takes as long as an answer may.
            let processes = try await stack.processes()
            return try await stack.watching { feed in
                try await stack.untilEventsAreStored(&feed)
                return try await stack.upstream.withLatency(milliseconds: 900) {
                    async let result = stack.gateway(
                        "movie", film, "--refresh", "--timeout", "30", "--json", "--explain")
                    let granted = try await feed.first("cache.get.answered") {
                        $0.says("key", "movie.detail?code=\(film)")
                    }
                    let instance = try #require(granted.text("from"))
                    #expect(kill(try #require(processes.pid(of: instance)), signal) == 0)
                    return (instance, try await result)
                }
            }
        }

        @Test func `a drained fetcher completes its work first`() async throws {
            let (instance, result) = try await ask("20199003", sending: SIGTERM)
            let answer: Explained = try result.decoded()
            // Not the event of its answer: events of different processes come in any order.
            let step = try #require(answer.explain.steps.first { $0.kind == "movie.detail" })
            #expect(answer.complete && step.instance == instance && step.attempts == 1, "\(result)")
            try await stack.untilAllAnswer()
        }

        @Test func `a worker killed at work loses no request`() async throws {
            // By the other one, or by its own successor.
            let answer: FilmAnswer = try await ask("20199003", sending: SIGKILL).1.decoded()
            #expect(answer.complete && answer.movie?.value?.code == "20199003")
            try await stack.untilAllAnswer()
        }

        @Test func `a second process of a name expels the first, and both log it`() async throws {
            let instance = "detail-fetcher/1"
            let first = try await stack.pid(of: instance)
            var double = try stack.command(Repository.binaries + "/detail-fetcher", [])
            double.environment["BOXOFFICE_INSTANCE"] = instance
            double.environment["KOBIS_BASE_URL"] = try stack.upstream.base + "/kobisopenapi/webservice/rest/"
            // The first ends; its supervisor restarts it as the second one; then the other one ends.
            let ended = try await double.run()
            #expect(ended.status == 69 && ended.output.isEmpty, "\(ended)")
            #expect(ended.errors.contains("another process has registered under this name"), "\(ended)")
            #expect(try await stack.pid(of: instance) != first)
            let log = try await stack.launcher(["logs", instance])
            #expect(log.output.contains("another process has registered under this name"), "\(log)")
            let answer: ChartAnswer = try await stack.json("show", "2005-06-07", "--top", "4")
            #expect(answer.complete)
        }

        @Test func `a second cache-store is refused and logs it`() async throws {
            let first = try await stack.pid(of: "cache-store/1")
            try await stack.answered("chart", "2005-06-08")
            var other = try stack.command(Repository.binaries + "/cache-store", [])
            other.environment["BOXOFFICE_INSTANCE"] = "cache-store/2"
            other.environment["BOXOFFICE_CACHE_DIR"] = stack.runFolder + "/cache-of-another"
            let ended = try await other.run()
            #expect(ended.status == 69 && ended.output.isEmpty, "\(ended)")
            #expect(ended.errors.contains("another cache-store is registered"), "\(ended)")
            let answer: ChartAnswer = try await stack.json("chart", "2005-06-08")
            #expect(answer.chart.cache?.hit == true)
            #expect(try await stack.pid(of: "cache-store/1") == first)
        }

        @Test func `a killed cache-store keeps what it has acknowledged`() async throws {
            try await stack.answered("show", "2011-02-03", "--top", "3")
            try await stack.crash("cache-store/1")
            // Requested while it is unavailable, and answered with or without it.
            let meanwhile: ChartAnswer = try await stack.json("chart", "2011-02-04", "--timeout", "30")
            #expect(meanwhile.complete && meanwhile.chart.value?.date == "2011-02-04")
            let attributes = try #require(meanwhile.chart.cache)
            #expect(attributes.stored == true || attributes.detail?.hasPrefix("uncached") == true)
            try await stack.untilAllAnswer()
            let calls = try await stack.upstream.calls {
                let answer: ChartAnswer = try await stack.json("show", "2011-02-03", "--top", "3")
                #expect(answer.complete && answer.chart.cache?.hit == true)
            }
            #expect(calls.isEmpty)
        }

        @Test func `without a service the other parts arrive`() async throws {
            #expect(try await stack.launcher(["scale", "cache-store=0"]).status == 0)
            let uncached: ChartAnswer = try await stack.json("show", "2012-02-05", "--top", "2", "--timeout", "30")
            #expect(try await stack.launcher(["scale", "cache-store=1", "poster-resolver=0"]).status == 0)
            #expect(uncached.complete && uncached.chart.cache?.detail?.hasPrefix("uncached") == true)
            let show: ChartAnswer = try await stack.json("show", "2013-02-06", "--top", "2")
            #expect(try await stack.launcher(["scale", "poster-resolver=2"]).status == 0)
            for film in try #require(show.films) {
                #expect(film.detail?.status == "ok" && film.poster?.failure?.code == "unavailable")
            }
            let whole: ChartAnswer = try await stack.json("show", "2013-02-06", "--top", "2")
            #expect(whole.complete)
        }

        @Test func `replacing every process and server one by one loses no request`() async throws {
            let before = try await stack.processes()
            try await stack.untilEventsAreReadable()
            let event = try #require(try await stack.pastEvents().last)
            let asked = try await stack.upstream.withLatency(milliseconds: 40) {
                try await stack.underLoad {
                    let result = try await stack.launcher(["restart", "all"])
                    #expect(result.status == 0, "\(result)")
                    let scaled = try await stack.launcher(["scale", "detail-fetcher=4", "poster-resolver=1"])
                    #expect(scaled.status == 0, "\(scaled)")
                    let back = try await stack.launcher(["scale", "detail-fetcher=2", "poster-resolver=2"])
                    #expect(back.status == 0, "\(back)")
                }
            }
            #expect(asked >= 4)
            let after = try await stack.processes()
            #expect(after.processes.allSatisfy { $0.state == "ready" })
            let kept = after.processes.filter { before.pid(of: $0.instance) == $0.pid }
            #expect(kept.map(\.instance) == ["demo-upstream/1"])
            // Past events outlive it, too.
            #expect(try await stack.pastEvents().contains { ($0.sequence, $0.time) == (event.sequence, event.time) })
        }

        @Test func `the events of every service outlive each server, and so does a tap`() async throws {
            try await stack.answered("chart", "2007-02-01")
            try await stack.watching { feed in
                var last: UInt64?
                for number in 1...3 {
                    try await stack.crash("nats-server/\(number)")
                    // While the servers elect a leader of the stream, events wait where they were published.
                    let day = "2007-03-0\(number)"
                    try await stack.answered("show", day, "--top", "1", "--refresh", "--timeout", "30")
                    // Of one query; that of this day stores a chart.
                    var kinds: [String?: Set<String>] = [:]
                    var query: String?
                    while query == nil || !Self.kindsOfShow.isSubset(of: kinds[query] ?? []) {
                        let event = try await feed.next()
                        if let last { #expect(event.sequence == last + 1) }
                        last = event.sequence
                        kinds[event.query, default: []].insert(event.kind)
                        if event.kind == "cache.put.answered", event.text("key")?.contains(day) == true {
                            query = event.query
                        }
                    }
                }
            }
        }

        @Test func `names and past events outlive the loss of every server within seconds`() async throws {
            try await stack.answered("chart", "2007-02-01")
            try await stack.untilEventsAreReadable()
            let event = try #require(try await stack.pastEvents().last)
            for _ in 1...2 {
                for number in 1...3 {
                    let lost = try await stack.pid(of: "nats-server/\(number)")
                    #expect(kill(lost, SIGKILL) == 0)
                    // The next one is usually lost before this one has received all from the others.
                    while [nil, lost].contains(try await stack.processes().pid(of: "nats-server/\(number)")) {}
                }
                // Their successors must take their names.
                try await stack.crash("detail-fetcher/1")
                try await stack.crash("cache-store/1")
                try await stack.untilAllAnswer()
            }
            try await stack.watching { feed in try await stack.untilEventsAreStored(&feed) }
            #expect(try await stack.pastEvents().contains { ($0.sequence, $0.time) == (event.sequence, event.time) })
        }

        @Test(arguments: ["tap --json --last 1", "gateway watch 2019-03-15 --json"])
        func `a lost and a regained connection are reported in a line each`(line: String) async throws {
            try await stack.answered("chart", "2007-02-01")
            let processes = try await stack.processes()
            let servers = try (1...3).map { try #require(processes.pid(of: "nats-server/\($0)")) }
            let script = "exec \"\(try Repository.binaries)\"/\(line) --lang en 2>&1"
            try await stack.command("bash", ["-c", script]).reading { lines in
                // It has subscribed when it prints its first line.
                _ = try #require(try await lines.next())
                func next(_ words: String) async throws -> String {
                    while let line = try await lines.next() {
                        if line.contains(words) { return line }
                    }
                    throw CancellationError()
                }
                for server in servers { #expect(kill(server, SIGSTOP) == 0) }
                defer { for server in servers { kill(server, SIGCONT) } }
                #expect(try await next("lost, retrying").hasSuffix("Connection to the broker lost, retrying."))
                for server in servers { #expect(kill(server, SIGCONT) == 0) }
                #expect(try await next("again; ").contains("Connected to the broker again; events missed:"))
            }
            try await stack.untilAllAnswer()
        }
    }
}
