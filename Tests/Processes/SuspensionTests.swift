import Foundation
import TestSupport
import Testing

extension ProcessTests.LifecycleTests {
    /// Processes that are suspended for a while (SIGSTOP): their requests are redelivered, and no other process waits.
    @Suite(.serialized, .stack()) struct SuspensionTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `the late reply of a suspended worker is dropped, and it serves again`() async throws {
            // Read in advance, since reading the process table takes as long as an answer may.
            let processes = try await stack.processes()
            let (request, instance) = try await stack.watching { feed in
                try await stack.upstream.withLatency(milliseconds: 700) {
                    async let result = stack.gateway("movie", "20199003", "--refresh", "--timeout", "30", "--json")
                    let dispatched = try await feed.first("broker.dispatched") { $0.says("service", "detail-fetcher") }
                    let request = try #require(dispatched.request)
                    let instance = try #require(dispatched.text("instance"))
                    let pid = try #require(processes.pid(of: instance))
                    // It now holds the cache's lease and calls the upstream.
                    try await feed.first("cache.get.answered") { $0.query == dispatched.query }
                    try await whileStopped(pid) {
                        let left = try await feed.first("broker.worker_left") { $0.says("instance", instance) }
                        #expect(left.says("reason", "silent"))
                        try await feed.first("broker.redelivered") { $0.request == request }
                        let answered = try await feed.first("broker.answered") { $0.request == request }
                        #expect(!answered.says("instance", instance))
                        // Another instance answers; those who inspect the stack see this one all the same.
                        for (command, status) in [("ping", 69), ("workers", 0), ("doctor", 69), ("stats", 69)] {
                            let seen = try await stack.gateway(command, "--lang", "en")
                            #expect(seen.status == status && seen.output.contains(instance), "\(seen)")
                        }
                    }
                    let ended = try await result
                    let answer: FilmAnswer = try ended.decoded()
                    #expect(answer.complete, "\(ended)")
                    try await feed.first("broker.worker_joined") { $0.says("instance", instance) }
                    return (request, instance)
                }
            }
            // Requests go to the worker that has been idle longest, so that two of them reach both.
            for code in ["20199001", "2019A002"] {
                let again: FilmAnswer = try await stack.json("movie", code, "--refresh")
                #expect(again.complete)
            }
            let past = try await stack.pastEvents()
            let returned = try #require(
                past.lastIndex { $0.kind == "broker.worker_joined" && $0.says("instance", instance) })
            #expect(past[returned...].contains { $0.kind == "broker.answered" && $0.says("instance", instance) })
            #expect(past.count { $0.kind == "broker.answered" && $0.request == request } == 1)
        }

        @Test func `a suspended gateway delays no other client and gets its answer afterwards`() async throws {
            let question = try stack.command(
                Repository.binaries + "/gateway", ["movie", "20199001", "--refresh", "--json", "--timeout", "30"])
            let line = try await stack.watching { feed in
                try await stack.upstream.withLatency(milliseconds: 300) {
                    try await question.reading { lines in
                        let dispatched = try await feed.first("broker.dispatched") {
                            $0.says("service", "detail-fetcher")
                        }
                        try await whileStopped(lines.processIdentifier) {
                            try await feed.first("broker.answered") { $0.request == dispatched.request }
                            let other: FilmAnswer = try await stack.json("movie", "20199003", "--refresh")
                            #expect(other.complete)
                        }
                        return try await lines.next()
                    }
                }
            }
            let answer = try JSONDecoder().decode(FilmAnswer.self, from: Data(#require(line).utf8))
            #expect(answer.complete && answer.movie?.value?.code == "20199001")
        }

        @Test(arguments: ["tap --json --last 1", "gateway watch 2019-03-15 --json"])
        func `a lost and a regained connection are reported in a line each`(line: String) async throws {
            let broker = try #require(try await stack.processes().pid(of: "broker/1"))
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
                try await whileStopped(broker) {
                    let lost = try await next("lost, retrying")
                    #expect(lost == "\(line.prefix { $0 != " " }): Connection to the broker lost, retrying.")
                }
                #expect(try await next("again; ").hasSuffix(": Connected to the broker again; events missed: 0"))
            }
        }

        @Test func `a suspended tap delays no other process and misses no event`() async throws {
            try await stack.watching { sleeper in
                let seen = try await whileStopped(sleeper.processIdentifier) {
                    try await stack.watching { feed in
                        async let result = stack.gateway("show", "2006-03-04", "--top", "3", "--json")
                        let answered = try await feed.first("query.answered")
                        let answer: ChartAnswer = try await result.decoded()
                        #expect(answer.complete)
                        return answered.sequence
                    }
                }
                var last = try await sleeper.next().sequence
                while last < seen {
                    let next = try await sleeper.next().sequence
                    try #require(next == last + 1)
                    last = next
                }
            }
        }
    }
}
