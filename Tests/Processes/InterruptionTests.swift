import Foundation
import TestSupport
import Testing

extension ProcessTests.CommandLineTests {
    /// Progress in a terminal, and cancellation. Each fetcher works on one request at a time.
    @Suite(.serialized, .stack(environment: ["BOXOFFICE_CAPACITY": "1"])) struct InterruptionTests {
        struct Workers: Decodable {
            struct Broker: Decodable {
                let queued: Int
            }

            let broker: Broker
        }

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
        func `a cancelled gateway leaves nothing queued`(signal: Int32, status: Int32) async throws {
            try await stack.watching { feed in
                try await stack.upstream.withLatency(milliseconds: 1000) {
                    let asking = Task {
                        try await stack.gateway("show", "2010-0\(signal % 9 + 1)-02", "--timeout", "60")
                    }
                    let started = try await feed.first("query.started")
                    // Of twenty requests two or three are dispatched: the others are queued at the broker.
                    for _ in 1...20 { try await feed.first("broker.queued") { $0.attributes["service"] != nil } }
                    let pid = try #require(started.source.split(separator: "-").last.flatMap { pid_t($0) })
                    kill(pid, signal)
                    let result = try await asking.value
                    #expect(result.status == status && result.output.isEmpty, "\(result)")
                    #expect(result.errors.hasSuffix("gateway: 취소했습니다.\n"))
                    let workers: Workers = try await stack.json("workers")
                    #expect(workers.broker.queued == 0)
                }
            }
            try await stack.untilIdle()
        }

        @Test func `an interrupted benchmark prints what ran until then`() async throws {
            try await stack.answered("show", "2019-03-15")
            let bench = try stack.command(
                Repository.binaries + "/gateway", ["bench", "2019-03-15", "--for", "10m", "--lang", "en"])
            let lines = try await stack.watching { feed in
                try await bench.reading { lines in
                    try await feed.first("query.answered")
                    kill(lines.processIdentifier, SIGINT)
                    var printed: [String] = []
                    while let line = try await lines.next() { printed.append(line) }
                    return printed
                }
            }
            #expect(lines.contains { $0.hasPrefix("responses") } && lines.contains { $0.contains("p99") }, "\(lines)")
        }

        /// Runs the gateway in a terminal of its own, and returns the terminal's output as one text.
        private func runInTerminal(_ arguments: String, columns: Int = 80) async throws -> String {
            let inner = "stty cols \(columns) rows 24; exec \\\"$BIN/gateway\\\" \(arguments)"
            return try await stack.shell("TERM=xterm script -qec \"\(inner)\" /dev/null").output
        }

        @Test func `a terminal shows which parts are awaited`() async throws {
            let erase = "\r\u{1B}[K"
            try await stack.upstream.withLatency(milliseconds: 400) {
                let slow = try await runInTerminal("show 2017-09-03 --top 3 --lang ko --timeout 30")
                #expect(slow.contains("\(erase)기다리는 중: 차트\(erase)"), "\(slow)")
                #expect(slow.contains(/기다리는 중: 상세 [0-2]\/3, 포스터 [0-2]\/3/), "\(slow)")
                #expect(slow.contains("\(erase)박스오피스 2017-09-03"), "\(slow)")
                let narrow = try await runInTerminal("show 2006-09-04 --top 3 --lang en --timeout 30", columns: 12)
                #expect(narrow.contains("\(erase)Waiting fo…\(erase)"), "\(narrow)")
            }
            let warm = try await runInTerminal("show 2017-09-03 --top 3 --lang ko")
            #expect(warm.hasPrefix("박스오피스 2017-09-03"), "\(warm)")
        }

        @Test func `a request that waits for a worker is shown as queued`() async throws {
            try await stack.upstream.withLatency(milliseconds: 500) {
                let explained: Explained = try await stack.json(
                    "show", "2008-08-08", "--top", "3", "--explain", "--refresh", "--timeout", "30")
                for kind in ["movie.detail", "poster.find"] {
                    // Two instances, three films: one waits for another, apart from its own time upstream.
                    let steps = explained.explain.steps.filter { $0.kind == kind }
                    let last = try #require(
                        steps.max { ($0.queuedMicroseconds ?? 0) < ($1.queuedMicroseconds ?? 0) })
                    let (queued, upstream) = (last.queuedMicroseconds ?? 0, last.upstreamMicroseconds ?? 0)
                    #expect(steps.count == 3 && queued >= 100_000 && upstream >= 500_000, "\(steps)")
                    #expect(last.tookMicroseconds >= queued + upstream, "\(last)")
                }
            }
        }

        @Test func `without a terminal no progress is printed`() async throws {
            try await stack.upstream.withLatency(milliseconds: 150) {
                let result = try await stack.gateway("show", "2005-05-05", "--top", "2", environment: ["TERM": "xterm"])
                #expect(result.status == 0 && result.errors.isEmpty && !result.output.contains("\u{1B}"), "\(result)")
            }
        }
    }
}
