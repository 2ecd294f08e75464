import Foundation
import TestSupport
import Testing

extension ProcessTests.LifecycleTests {
    /// Clients that send more requests than a stack can serve, beside well-behaved ones.
    @Suite(.serialized, .stack("detail-fetcher=1", environment: ["BOXOFFICE_CAPACITY": "2"])) struct FloodTests {
        static let capacity = 2
        /// The broker's bound on one client's share of a queue.
        static let share = 128

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `a flood is refused at once and a well-behaved client is served`() async throws {
            try await stack.upstream.withLatency(milliseconds: 200) {
                try await stack.flooding("--burst", "2000") { flood in
                    // All replies of the broker to the burst before it read the next request.
                    let report = try await flood.nextReport()
                    #expect(report.sent == 2000 && report.overloaded >= 1000)
                    #expect((1...Self.share + Self.capacity).contains(report.outstanding), "\(report)")

                    for code in ["20199001", "2019A002", "20199003"] {
                        let between = try await stack.watching { feed in
                            async let result = stack.gateway("movie", code, "--refresh", "--json")
                            let between = try await feed.dispatches(beforeTheNextOf: "detail-fetcher")
                            let answer: FilmAnswer = try await result.decoded()
                            #expect(answer.complete)
                            return between
                        }
                        // One other client is active: it has one request in each round.
                        #expect(between <= 1)
                    }
                }
            }
            try await stack.untilIdle()
        }

        @Test func `a full queue is reported in both languages with its exit code`() async throws {
            try await stack.upstream.withLatency(milliseconds: 1000) {
                // So many clients that one round exceeds every deadline, even if a place is free.
                try await stack.flooding("--burst", "12", "--clients", "100") { flood in
                    let report = try await flood.nextReport()
                    #expect(report.overloaded >= 1200 - 1000 - Self.capacity, "\(report)")

                    let korean = try await stack.gateway("movie", "20199001", "--refresh")
                    #expect(korean.status == 75 && korean.output.isEmpty, "\(korean)")
                    #expect(korean.errors.contains("detail-fetcher 서비스에 요청이 밀려 있습니다"), "\(korean)")
                    #expect(korean.errors.contains("다시 시도하세요"), "\(korean)")
                    let english = try await stack.gateway("movie", "20199001", "--refresh", "--lang", "en", "--json")
                    #expect(english.status == 75, "\(english)")
                    #expect(english.errors.contains("Requests are piling up at detail-fetcher."), "\(english)")
                    #expect(english.errors.contains("ry again"), "\(english)")
                    let answer: FilmAnswer = try english.decoded()
                    #expect(!answer.complete && answer.movie?.failure?.code == "overloaded")
                    // Only that service is overloaded.
                    let chart: ChartAnswer = try await stack.json("chart", "2004-05-06", "--refresh")
                    #expect(chart.complete)
                }
            }
            try await stack.untilIdle()
        }

        @Test func `a client that reads nothing and a suspended tap do not affect others`() async throws {
            try await stack.upstream.withLatency(milliseconds: 100) {
                try await stack.watching { sleeper in
                    try await whileStopped(sleeper.processIdentifier) {
                        try await stack.watching { feed in
                            try await stack.flooding("--burst", "20000", "--deaf") { _ in
                                try await feed.first("broker.dropped") { $0.says("reason", "undeliverable") }
                                let answer: FilmAnswer = try await stack.json("movie", "20199003", "--refresh")
                                #expect(answer.complete)
                            }
                        }
                    }
                }
            }
            try await stack.untilIdle()
        }

        #if os(Linux)
            @Test func `the memory of the broker stays flat under a flood`() async throws {
                let broker = try await stack.pid(of: "broker/1")
                try await stack.flooding("--burst", "2000", "--bursts", "14", "--bytes", "4096") { flood in
                    // The ring of past events is full by then.
                    for _ in 1...6 { _ = try await flood.nextReport() }
                    let before = try residentBytes(of: broker)
                    for _ in 7...13 { _ = try await flood.nextReport() }
                    let last = try await flood.nextReport()
                    let after = try residentBytes(of: broker)
                    #expect(last.sent == 28_000 && last.overloaded > 20_000, "\(last)")
                    // 64 MB of requests arrived in between.
                    #expect(after < before * 5 / 4, "from \(before) to \(after) bytes")
                }
                try await stack.untilIdle()
            }
        #endif
    }
}

extension EventFeed {
    /// How many other requests are dispatched to a service before the next one that is queued from now on.
    fileprivate mutating func dispatches(beforeTheNextOf service: String) async throws -> Int {
        let queued = try await first("broker.queued") { $0.says("service", service) }
        var others = 0
        while try await first("broker.dispatched", where: { $0.says("service", service) }).request != queued.request {
            others += 1
        }
        return others
    }
}
