import Foundation
import Testing

extension ProcessTests.LifecycleTests {
    /// Clients that ask for more than a stack can do, beside others.
    @Suite(.serialized, .stack("detail-fetcher=1", environment: ["BOXOFFICE_CAPACITY": "2"])) struct FloodTests {
        static let capacity = 2
        /// The broker's bound of one client's share of a queue.
        static let share = 128

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func aFloodIsRefusedAtOnceAndAPoliteClientHasItsTurn() async throws {
            try await stack.upstream.withLatency(milliseconds: 200) {
                try await stack.flooding("--burst", "2000") { flood in
                    // All that the broker said to the burst before it came to the next question.
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
                        // One other client is active: a round is one request of it.
                        #expect(between <= 1)
                    }
                }
            }
            try await stack.untilIdle()
        }

        @Test func aFullQueueIsToldInBothLanguagesWithItsExitCode() async throws {
            try await stack.upstream.withLatency(milliseconds: 1000) {
                // So many that a round of all of them takes longer than anybody waits, whether a place is free or not.
                try await stack.flooding("--burst", "12", "--clients", "100") { flood in
                    let report = try await flood.nextReport()
                    #expect(report.overloaded >= 1200 - 1000 - Self.capacity, "\(report)")

                    let korean = try await stack.gateway("movie", "20199001", "--refresh")
                    #expect(korean.status == 75 && korean.output.isEmpty, "\(korean)")
                    #expect(korean.errors.contains("detail-fetcher 서비스에 요청이 밀려 있습니다"), "\(korean)")
                    #expect(korean.errors.contains("(overloaded, 재시도 가능)"), "\(korean)")
                    let english = try await stack.gateway("movie", "20199001", "--refresh", "--lang", "en", "--json")
                    #expect(english.status == 75, "\(english)")
                    #expect(english.errors.contains("Requests are piling up at detail-fetcher."), "\(english)")
                    #expect(english.errors.contains("(overloaded, retry may help)"), "\(english)")
                    let answer: FilmAnswer = try english.decoded()
                    #expect(!answer.complete && answer.movie?.failure?.code == "overloaded")
                    // Only that service is overloaded.
                    let chart: ChartAnswer = try await stack.json("chart", "2004-05-06", "--refresh")
                    #expect(chart.complete)
                }
            }
            try await stack.untilIdle()
        }

        @Test func aClientThatReadsNothingAndAStoppedTapHurtNobodyElse() async throws {
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
            @Test func theBrokersMemoryStaysFlatUnderAFlood() async throws {
                let broker = try await stack.pid(of: "broker/1")
                try await stack.flooding("--burst", "2000", "--bursts", "14", "--bytes", "4096") { flood in
                    // The ring of past events is full by then.
                    for _ in 1...6 { _ = try await flood.nextReport() }
                    let before = try residentBytes(of: broker)
                    for _ in 7...13 { _ = try await flood.nextReport() }
                    let last = try await flood.nextReport()
                    let after = try residentBytes(of: broker)
                    #expect(last.sent == 28_000 && last.overloaded > 20_000, "\(last)")
                    // 64 MB of requests came in between.
                    #expect(after < before * 5 / 4, "from \(before) to \(after) bytes")
                }
                try await stack.untilIdle()
            }
        #endif
    }
}

extension EventFeed {
    /// How many others a service is handed before the next request that it is asked from now on.
    fileprivate mutating func dispatches(beforeTheNextOf service: String) async throws -> Int {
        let queued = try await first("broker.queued") { $0.says("service", service) }
        var others = 0
        while try await first("broker.dispatched", where: { $0.says("service", service) }).request != queued.request {
            others += 1
        }
        return others
    }
}
