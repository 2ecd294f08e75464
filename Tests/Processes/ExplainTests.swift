import Foundation
import TestSupport
import Testing

/// The part of `--explain --json` that the tests read.
struct Explained: Decodable, Sendable {
    struct Explanation: Decodable, Sendable {
        struct Step: Decodable, Sendable {
            let what: String
            let kind: String
            let instance: String?
            let isCritical: Bool
            let tookMicroseconds: Int
            let cache: String?
            let attempts: Int
            let queuedMicroseconds: Int?
            let workMicroseconds: Int?
            let upstreamMicroseconds: Int?
            let upstreamCalls: Int?
            let upstreamOutcomes: [String]?
        }

        let wallMicroseconds: Int
        let ownMicroseconds: Int
        let steps: [Step]
    }

    let complete: Bool
    let explain: Explanation
}

extension ProcessTests.CommandLineTests {
    /// How `--explain` attributes the time of a request.
    @Suite(.serialized) struct ExplainTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        private func explain(_ arguments: String...) async throws -> Explained.Explanation {
            let result = try await stack.command(
                Repository.binaries + "/gateway", arguments + ["--explain", "--json", "--timeout", "30"]
            ).run()
            let answer: Explained = try result.decoded()
            #expect(answer.complete, "\(result)")
            return answer.explain
        }

        @Test func `each step is listed and the critical ones add up to the total`() async throws {
            let cold = try await stack.upstream.withLatency(milliseconds: 400) {
                try await explain("show", "2011-09-10", "--top", "3")
            }
            let kinds = Dictionary(grouping: cold.steps, by: \.kind).mapValues(\.count)
            #expect(kinds == ["cache.peek": 2, "chart.daily": 1, "movie.detail": 3, "poster.find": 3])
            let fetched = cold.steps.filter { $0.kind != "cache.peek" }
            #expect(fetched.allSatisfy { $0.upstreamOutcomes == ["200"] })
            #expect(fetched.allSatisfy { $0.upstreamCalls == 1 && $0.cache == "fwd=miss; stored" && $0.attempts == 1 })
            let services = Set(cold.steps.compactMap { $0.instance?.split(separator: "/").first })
            #expect(services == ["cache-store", "chart-fetcher", "detail-fetcher", "poster-resolver"])
            #expect(cold.steps.filter { $0.kind == "cache.peek" }.map(\.cache) == ["1 miss", "6 miss"])
            // The chart and one later part, between two cache peeks.
            let critical = cold.steps.filter(\.isCritical)
            #expect(
                critical.map(\.kind).prefix(3) == ["cache.peek", "chart.daily", "cache.peek"] && critical.count == 4)
            #expect(critical.reduce(0) { $0 + $1.tookMicroseconds } + cold.ownMicroseconds == cold.wallMicroseconds)
            #expect(cold.ownMicroseconds * 20 <= cold.wallMicroseconds, "\(cold)")

            let movie = try await explain("movie", "#1", "--date", "2011-09-10")
            // The film's run is asked for beside its detail.
            let kindsOfMovie = Dictionary(grouping: movie.steps, by: \.kind).mapValues(\.count)
            #expect(kindsOfMovie["cache.peek"] == 2 && kindsOfMovie["archive.run"] == 1, "\(movie)")

            let warm = try await explain("show", "2011-09-10", "--top", "3")
            #expect(warm.steps.map(\.cache) == ["7 hit"] && warm.steps.allSatisfy(\.isCritical))
        }

        @Test(arguments: [
            ("/v2/search/image", "poster.find", "2004-09-11"), ("searchMovieInfo", "movie.detail", "2006-03-11"),
            ("searchDailyBoxOfficeList", "chart.daily", "2008-05-24"),
        ])
        func `a slow upstream slows its own step only`(path: String, kind: String, date: String) async throws {
            try await stack.upstream.withFault("slow&ms=300", path: path) {
                try await Eventually.holds {
                    let steps = try await explain("show", date, "--top", "1", "--refresh").steps
                    #expect(steps.map(\.kind).sorted() == ["chart.daily", "movie.detail", "poster.find"])
                    let slow = try #require(steps.first { $0.kind == kind })
                    #expect((slow.upstreamMicroseconds ?? 0) >= 300_000, "\(slow)")
                    return slow.isCritical && (slow.queuedMicroseconds ?? .max) < 300_000
                        && steps.allSatisfy { $0.kind == kind || $0.tookMicroseconds < 300_000 }
                }
            }
        }

        @Test func `each attempt is listed with its outcome`() async throws {
            try await stack.upstream.withFault("error503&every=2", path: "searchMovieInfo") {
                let steps = try await explain("show", "2010-10-02", "--top", "2").steps
                let outcomes = steps.compactMap { $0.kind == "movie.detail" ? $0.upstreamOutcomes : nil }
                // Every second call fails and is retried: one film of the two, or one of them twice.
                #expect(outcomes.flatMap(\.self).contains("503"), "\(outcomes)")
                #expect(outcomes.allSatisfy { $0.last == "200" }, "\(outcomes)")
            }
        }

        @Test func `a text answer is followed by its waterfall`() async throws {
            let text = try await stack.gateway("show", "2019-03-15", "--explain", "--lang", "en")
            #expect(text.status == 0 && text.errors.isEmpty)
            #expect(
                text.output.contains(/\n\nstart +duration +worker +request +cache, outcome +queued +work +upstream\n/),
                "\(text)")
            #expect(text.output.contains(/\n◀ total [0-9.]+ ms = .+ \(gateway\)\n$/))
            let records = try await stack.gateway("chart", "2019-03-15", "--explain", "--format", "csv")
            #expect(records.lines.count == 5 && records.errors.contains("합계"))
            let verbose = try await stack.gateway("chart", "2019-03-15", "-v", "--json")
            #expect(verbose.errors.contains("peek 1") && !verbose.output.contains("explain"))
        }
    }
}
