import Foundation
import TestSupport
import Testing

extension ProcessTests.LifecycleTests {
    /// Processes that crash, leave or join while requests are in flight.
    @Suite(.serialized, .stack()) struct RecoveryTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `a worker killed at work loses no request`() async throws {
            // Read in advance, since reading the process table takes as long as an answer may.
            let processes = try await stack.processes()
            try await stack.watching { feed in
                // Shorter than the time limit of an upstream attempt.
                try await stack.upstream.withLatency(milliseconds: 900) {
                    async let result = stack.gateway("movie", "20199003", "--timeout", "30", "--json")
                    let dispatched = try await feed.first("broker.dispatched") { $0.says("service", "detail-fetcher") }
                    let instance = try #require(dispatched.text("instance"))
                    let pid = try #require(processes.pid(of: instance))
                    // It now holds the cache's lease and calls the upstream.
                    try await feed.first("cache.get.answered") { $0.query == dispatched.query }
                    #expect(kill(pid, SIGKILL) == 0)

                    let over = try await feed.first("broker.redelivered") { $0.request == dispatched.request }
                    #expect(over.says("from", instance))
                    let again = try await feed.first("broker.dispatched") { $0.request == dispatched.request }
                    #expect(again.attributes["attempt"] == .number(2) && !again.says("instance", instance))
                    let ended = try await result
                    let answer: FilmAnswer = try ended.decoded()
                    #expect(answer.complete && answer.movie?.value?.code == "20199003", "\(ended)")
                }
            }
            try await stack.untilComplete()
        }

        @Test func `a killed cache-store keeps what it has acknowledged`() async throws {
            try await stack.answered("show", "2011-02-03", "--top", "3")
            try await stack.watching { feed in
                try await stack.crash("cache-store/1")
                // Requested while it is unavailable, and answered with or without it.
                let meanwhile: ChartAnswer = try await stack.json("chart", "2011-02-04", "--timeout", "30")
                #expect(meanwhile.complete && meanwhile.chart.value?.date == "2011-02-04")
                let attributes = try #require(meanwhile.chart.cache)
                #expect(attributes.stored == true || attributes.detail?.hasPrefix("uncached") == true)
                try await feed.first("broker.worker_joined") { $0.says("instance", "cache-store/1") }
            }
            let calls = try await stack.upstream.calls {
                let answer: ChartAnswer = try await stack.json("show", "2011-02-03", "--top", "3")
                #expect(answer.complete && answer.chart.cache?.hit == true)
            }
            #expect(calls.isEmpty)
        }

        @Test func `without a cache-store answers arrive uncached`() async throws {
            #expect(try await stack.launcher(["scale", "cache-store=0"]).status == 0)
            let chart = try await stack.gateway("chart", "2012-02-05", "--json", "--timeout", "30")
            let show = try await stack.gateway("show", "2012-02-05", "--top", "2", "--json")
            #expect(try await stack.launcher(["scale", "cache-store=1"]).status == 0)

            let answer: ChartAnswer = try chart.decoded()
            #expect(answer.complete && answer.chart.cache?.detail?.hasPrefix("uncached") == true)
            let joined: ChartAnswer = try show.decoded()
            #expect(joined.complete, "within the usual deadline: \(show)")
        }

        @Test func `without a poster-resolver the other parts arrive`() async throws {
            #expect(try await stack.launcher(["scale", "poster-resolver=0"]).status == 0)
            let show = try await stack.gateway("show", "2013-02-06", "--top", "2", "--json")
            let ping = try await stack.gateway("ping")
            #expect(try await stack.launcher(["scale", "poster-resolver=2"]).status == 0)

            let answer: ChartAnswer = try show.decoded()
            #expect(show.status == 0 && !answer.complete && answer.chart.status == "ok")
            for film in try #require(answer.films) {
                #expect(film.detail?.status == "ok")
                #expect(film.poster?.status == "failed" && film.poster?.failure?.code == "unavailable")
            }
            #expect(ping.status == 69)
            let whole: ChartAnswer = try await stack.json("show", "2013-02-06", "--top", "2")
            #expect(whole.complete)
        }

        @Test func `scaling up and down loses no request`() async throws {
            let asked = try await stack.upstream.withLatency(milliseconds: 40) {
                try await stack.underLoad {
                    for counts in [
                        ["detail-fetcher=4", "poster-resolver=1"], ["detail-fetcher=1", "chart-fetcher=2"],
                        ["detail-fetcher=2", "poster-resolver=2", "chart-fetcher=1"],
                    ] {
                        let result = try await stack.launcher(["scale"] + counts)
                        #expect(result.status == 0, "\(result)")
                    }
                }
            }
            #expect(asked >= 4)
            #expect(try await stack.processes().count(of: "detail-fetcher") == 2)
        }

        @Test func `a killed broker restarts and its workers register again`() async throws {
            let before = try #require(await stack.processes().pid(of: "broker/1"))
            try await stack.crash("broker/1")
            try await stack.untilComplete()
            let answer: ChartAnswer = try await stack.json("show", "2009-02-07")
            #expect(answer.complete)
            let table = try await stack.processes()
            #expect(table.brokerReached && table.pid(of: "broker/1") != before)
            try await stack.answered("ping")
        }

        @Test func `a request lost with a killed broker is answered by the next one`() async throws {
            try await stack.watching { feed in
                try await stack.upstream.withLatency(milliseconds: 600) {
                    async let result = stack.gateway("chart", "2008-02-08", "--json", "--timeout", "30")
                    try await feed.first("broker.dispatched") { $0.says("service", "chart-fetcher") }
                    try await stack.crash("broker/1")
                    let ended = try await result
                    let answer: ChartAnswer = try ended.decoded()
                    #expect(answer.complete && answer.chart.value?.date == "2008-02-08", "\(ended)")
                }
            }
            try await stack.untilComplete()
        }

        @Test func `a tap outlives its broker and misses no event of the next one`() async throws {
            try await stack.watching { feed in
                try await stack.crash("broker/1")
                try await stack.untilComplete()
                try await stack.answered("chart", "2007-02-09")
                var roll = ServiceDirectory()
                while true {
                    let event = try await feed.next()
                    roll.heard(event)
                    if event.kind == "query.answered" { break }
                }
                #expect(roll.present.isSuperset(of: TestStack.workers), "heard of \(roll.present.sorted())")
            }
        }
    }
}
