import Foundation
import TestSupport
import Testing

extension ProcessTests.LifecycleTests {
    /// The table of failures in Failures.md: the process that is killed, stopped or slow during a request, and the result.
    @Suite(.serialized, .stack()) struct FailureTableTests {
        static let instances = [
            "broker/1", "cache-store/1", "chart-fetcher/1", "detail-fetcher/1", "poster-resolver/1",
        ]

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        /// Requests a refresh, and runs `deed` once the instance has a part of the work.
        private func show(
            _ day: String, hurting instance: String,
            _ deed: (pid_t, () async throws -> CommandResult) async throws -> CommandResult
        ) async throws -> (CommandResult, ChartAnswer) {
            let pid = try await stack.pid(of: instance)
            let ended = try await stack.watching { feed in
                try await stack.upstream.withLatency(milliseconds: 300) {
                    let question = Task { [stack] in
                        try await stack.gateway("show", day, "--top", "4", "--refresh", "--json")
                    }
                    try await feed.first("broker.dispatched") { event in
                        instance == "broker/1"
                            ? event.says("service", "detail-fetcher") : event.says("instance", instance)
                    }
                    return try await deed(pid) { try await question.value }
                }
            }
            try await stack.untilComplete()
            return (ended, try ended.decoded())
        }

        @Test(arguments: zip(instances, 1...5))
        func `a killed instance leaves no part missing`(instance: String, day: Int) async throws {
            let (ended, answer) = try await show("2016-03-0\(day)", hurting: instance) { pid, result in
                #expect(kill(pid, SIGKILL) == 0)
                return try await result()
            }
            #expect(ended.status == 0 && answer.complete, "\(ended)")
        }

        @Test(arguments: zip(instances, 1...5))
        func `a slow instance leaves no part missing`(instance: String, day: Int) async throws {
            let (ended, answer) = try await show("2016-05-0\(day)", hurting: instance) { pid, result in
                try await whileSlow(pid, result)
            }
            #expect(ended.status == 0 && answer.complete, "\(ended)")
        }

        @Test(arguments: zip(["detail-fetcher/1", "poster-resolver/1"], 1...2))
        func `a suspended instance beside another leaves no part missing`(instance: String, day: Int) async throws {
            let (ended, answer) = try await show("2016-07-0\(day)", hurting: instance) { pid, result in
                try await whileStopped(pid) {
                    let first = try await result()
                    let next: ChartAnswer = try await stack.json("show", "2016-07-1\(day)", "--top", "2", "--refresh")
                    #expect(next.complete)
                    return first
                }
            }
            #expect(ended.status == 0 && answer.complete, "\(ended)")
        }

        @Test func `a suspended cache-store is reported and then bypassed`() async throws {
            let (ended, answer) = try await show("2016-08-01", hurting: "cache-store/1") { pid, result in
                try await whileStopped(pid) {
                    let first = try await result()
                    // The broker has noticed by now: the next request is answered in full, but not stored.
                    let next = try await stack.gateway("chart", "2016-08-02", "--json")
                    let reported: ChartAnswer = try next.decoded()
                    #expect(
                        reported.complete && reported.chart.cache?.detail == "uncached: cache-store is unavailable",
                        "\(next)")
                    return first
                }
            }
            // Requests that were waiting for it may have timed out; those parts are labelled.
            #expect([0, 75].contains(ended.status), "\(ended)")
            #expect(answer.complete || answer.failures.contains("timeout"), "\(ended)")
            let again: ChartAnswer = try await stack.json("show", "2016-08-01", "--top", "4")
            #expect(again.complete)
        }

        @Test func `a suspended broker is reported by the deadline and used again after it resumes`() async throws {
            let (ended, answer) = try await show("2016-09-01", hurting: "broker/1") { pid, result in
                try await whileStopped(pid) {
                    let next = try await stack.gateway("chart", "2016-09-02", "--json")
                    let reported: ChartAnswer = try next.decoded()
                    #expect(next.status == 69 && reported.chart.failure?.code == "broker_lost", "\(next)")
                    return try await result()
                }
            }
            // Parts that had arrived are present; the others are labelled.
            #expect(ended.status == 0 && !answer.complete && answer.chart.status == "ok", "\(ended)")
            let details = try #require(answer.films).compactMap(\.detail)
            #expect(details.contains { $0.failure?.code == "timeout" || $0.failure?.code == "broker_lost" })
            let again: ChartAnswer = try await stack.json("show", "2016-09-01", "--top", "4")
            #expect(again.complete)
        }

        @Test func `the suspended only instance of a service is reported and used again`() async throws {
            let (ended, answer) = try await show("2016-11-01", hurting: "chart-fetcher/1") { pid, result in
                try await whileStopped(pid) {
                    let first = try await result()
                    let next = try await stack.gateway("chart", "2016-11-02", "--json")
                    let reported: ChartAnswer = try next.decoded()
                    #expect(next.status == 69 && reported.chart.failure?.code == "unavailable", "\(next)")
                    return first
                }
            }
            #expect(ended.status == 69 && answer.chart.failure?.code == "unavailable", "\(ended)")
            #expect(answer.chart.failure?.isRetryable == true)
            let again: ChartAnswer = try await stack.json("chart", "2016-11-01")
            #expect(again.complete)
        }

        @Test func `killing every poster-resolver leaves no part missing`() async throws {
            let pids = try await [stack.pid(of: "poster-resolver/1"), stack.pid(of: "poster-resolver/2")]
            let (ended, answer) = try await show("2016-10-01", hurting: "poster-resolver/1") { _, result in
                for pid in pids { #expect(kill(pid, SIGKILL) == 0) }
                return try await result()
            }
            #expect(ended.status == 0 && answer.complete, "\(ended)")
        }

        @Test func `suspending every poster-resolver labels the missing posters`() async throws {
            let pids = try await [stack.pid(of: "poster-resolver/1"), stack.pid(of: "poster-resolver/2")]
            let ended = try await whileStopped(pids[0]) {
                try await whileStopped(pids[1]) {
                    try await stack.gateway("show", "2016-12-01", "--top", "2", "--refresh", "--json")
                }
            }
            try await stack.untilComplete()
            let answer: ChartAnswer = try ended.decoded()
            #expect(ended.status == 0 && !answer.complete && answer.chart.status == "ok", "\(ended)")
            let films = try #require(answer.films)
            #expect(
                films.allSatisfy { $0.detail?.status == "ok" && $0.poster?.failure?.code == "unavailable" }, "\(ended)")
        }

        @Test func `slowing every poster-resolver leaves no part missing`() async throws {
            let pids = try await [stack.pid(of: "poster-resolver/1"), stack.pid(of: "poster-resolver/2")]
            let ended = try await whileSlow(pids[0]) {
                try await whileSlow(pids[1]) {
                    try await stack.gateway("show", "2016-12-07", "--top", "2", "--refresh", "--json")
                }
            }
            let answer: ChartAnswer = try ended.decoded()
            #expect(ended.status == 0 && answer.complete, "\(ended)")
        }

        @Test func `a suspended upstream is reported and stored parts are used`() async throws {
            try await stack.answered("show", "2016-12-03", "--top", "1")
            let pid = try await stack.pid(of: "demo-upstream/1")
            try await whileStopped(pid) {
                let known = try await stack.gateway("show", "2016-12-03", "--top", "1", "--refresh", "--json")
                let stored: ChartAnswer = try known.decoded()
                #expect(known.status == 0 && stored.chart.status == "stale", "\(known)")
                #expect(stored.chart.failure?.code == "upstream_timeout")
                let new = try await stack.gateway("chart", "2016-12-05", "--json")
                let reported: ChartAnswer = try new.decoded()
                #expect(new.status == 75 && reported.chart.failure?.code == "upstream_timeout", "\(new)")
            }
        }

        @Test func `a killed upstream is back for the next attempt`() async throws {
            let upstream = try await stack.pid(of: "demo-upstream/1")
            let (ended, answer) = try await show("2016-10-05", hurting: "detail-fetcher/1") { _, result in
                #expect(kill(upstream, SIGKILL) == 0)
                let ended = try await result()
                while (try? await stack.upstream.calls()) == nil { try Task.checkCancellation() }
                return ended
            }
            // A lost call is retried; a part that is still missing is labelled.
            #expect(ended.status == 0 && (answer.complete || !answer.failures.isEmpty), "\(ended)")
        }

        @Test func `killing any other process has no visible effect`() async throws {
            let tap = try stack.command(Repository.binaries + "/tap", ["--last", "1"])
            let other = try stack.command(Repository.binaries + "/gateway", ["show", "2017-01-05", "--json"])
            try await stack.watching { feed in
                try await stack.upstream.withLatency(milliseconds: 300) {
                    try await tap.reading { taps in
                        _ = try await taps.next()
                        try await other.reading { others in
                            let question = Task { [stack] in
                                try await stack.gateway("show", "2017-01-05", "--top", "4", "--json")
                            }
                            let asker = "-\(others.processIdentifier)"
                            try await feed.first("part.requested") {
                                $0.source.hasPrefix("gateway/") && $0.source.hasSuffix(asker)
                            }
                            for pid in [taps.processIdentifier, others.processIdentifier] {
                                #expect(kill(pid, SIGKILL) == 0)
                            }
                            let ended = try await question.value
                            let answer: ChartAnswer = try ended.decoded()
                            #expect(answer.complete, "\(ended)")
                        }
                    }
                }
            }
        }

        @Test func `a suspended or slow supervisor has no visible effect`() async throws {
            let table = try await stack.processes()
            func ask() async throws {
                let answer: ChartAnswer = try await stack.json("show", "2017-02-05", "--top", "2", "--refresh")
                #expect(answer.complete)
            }
            for pid in [table.supervisor, table.keeper] {
                try await whileStopped(pid) { try await ask() }
                try await whileSlow(pid) { try await ask() }
            }
        }
    }
}

extension ChartAnswer {
    /// The codes of the parts that did not arrive.
    var failures: [String] {
        let ofFilms = (films ?? []).flatMap { [$0.detail?.failure?.code, $0.poster?.failure?.code] }
        return ([chart.failure?.code] + ofFilms).compactMap(\.self)
    }
}
