import Foundation
import Testing

extension ProcessTests.CommandLineTests {
    /// The options of `tap`, and `gateway trace` for past events.
    @Suite(.serialized, .stack()) struct TapOptionTests {
        private struct Exchange: Decodable {
            let query: String
            let request: String
            let parent: String?
            let from: String?
            let to: String?
            let kind: String?
            let status: String?
            let cache: String?
            let tookMicroseconds: Int?
        }

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        /// Requests a day that is not stored, and returns the query's id.
        @discardableResult
        private func show(_ day: String) async throws -> String {
            try await stack.answered("cache", "clear")
            try await stack.answered("show", day, "--top", "2")
            let events = try await stack.pastEvents()
            return try #require(events.last { $0.kind == "query.started" }?.query)
        }

        private func exchanges(_ result: CommandResult) throws -> [Exchange] {
            try result.output.split(separator: "\n").map {
                try JSONDecoder().decode(Exchange.self, from: Data($0.utf8))
            }
        }

        @Test func `match pairs each request with its answer`() async throws {
            let query = try await show("2012-02-03")
            let all = try exchanges(await stack.tap("--match", "--query", query, "--no-follow", "--json"))
            let details = all.filter { $0.kind == "movie.detail" }
            #expect(details.count == 2)
            for detail in details {
                #expect(detail.from?.hasPrefix("gateway/") == true && detail.to?.hasPrefix("detail-fetcher/") == true)
                #expect(detail.status == "ok" && detail.cache == "fwd=miss; stored")
                let took = try #require(detail.tookMicroseconds)
                #expect(took > 0)
                // Its cache requests name the query.
                let caused = all.filter { $0.parent == detail.request }
                #expect(caused.compactMap(\.kind).sorted() == ["cache.get", "cache.put"])
                #expect(caused.allSatisfy { $0.from == detail.to && $0.to == "cache-store/1" })
            }
            #expect(Set(all.map(\.request)).count == all.count && all.allSatisfy { $0.query == query })
        }

        @Test func `a query is a tree in the live tap and in the trace`() async throws {
            let query = try await show("2012-02-04")
            // The tap follows the stream, and ends with the query.
            let tree = try await stack.tap("--query", String(query.prefix(8)))
            let lines = tree.lines.filter { !$0.isEmpty }
            #expect(tree.status == 0 && lines.first?.hasPrefix("query \(query)  ") == true, "\(tree)")
            #expect(lines.first?.contains("show date=2012-02-04 kind=daily top=2") == true)
            #expect(lines.count { $0.contains(" ok      movie.detail?code=") } == 2)
            #expect(lines.count { $0.contains(" ok        cache.get movie.detail?code=") } == 2)
            #expect(lines.count { $0.contains(" ok        cache.put poster.find?") } == 2)

            #expect(try await stack.gateway("trace", query, "--lang", "en").output == tree.output)
            #expect(try await stack.gateway("trace", "--lang", "en").output == tree.output)
            let json = try await stack.gateway("trace", query, "--json")
            #expect(json.output == (try await stack.tap("--query", query, "--json", "--no-follow")).output)
            let object = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
            #expect(object["command"] as? String == "show")
            #expect((object["exchanges"] as? [Any])?.count == lines.count - 1)
        }

        @Test(arguments: [["tap", "--no-follow", "--query"], ["gateway", "trace"]])
        func `an unknown query is reported as such`(command: [String]) async throws {
            let result = try await stack.command(
                Repository.binaries + "/" + command[0], command.dropFirst() + ["0123456789abcdef"]
            ).run()
            #expect(result.status == 66 && result.output.isEmpty, "\(result)")
            #expect(result.errors.contains("0123456789abcdef"))
        }

        @Test func `kinds, services and times filter the events`() async throws {
            let query = try await show("2012-02-05")
            func kinds(_ arguments: String...) async throws -> Set<String> {
                let result = try await stack.command(
                    Repository.binaries + "/tap", ["--json", "--no-follow"] + arguments
                ).run()
                #expect(result.status == 0, "\(result)")
                return Set(try result.output.split(separator: "\n").map { try TapEvent.decode(String($0)).kind })
            }
            #expect(try await kinds("--kind", "query.*") == ["query.started", "query.answered"])
            #expect(
                try await kinds("--kind", "query.*", "--kind", "part.*", "--exclude", "*.a*")
                    == ["query.started", "part.requested"])
            let ofCharts = try await kinds("--service", "chart-fetcher/1", "--exclude", "broker.*")
            #expect(ofCharts == ["chart.daily.answered"])
            #expect(try await kinds("--since", "2100-01-01T00:00:00Z").isEmpty)
            #expect(try await kinds("--since", "1h", "--kind", "query.started") == ["query.started"])
            let last = try await stack.tap("--last", "2", "--kind", "query.*", "--no-follow")
            #expect(last.lines.count { $0.contains("  \(query.prefix(8))  ") } == 2)
        }

        @Test func `the figures match the stream`() async throws {
            try await show("2012-02-06")
            let result = try await stack.tap("--stats", "--no-follow", "--json")
            let object = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
            let kinds = try #require(object["kinds"] as? [[String: Any]])
            let detail = try #require(kinds.first { $0["name"] as? String == "movie.detail" })
            let exchanges = try exchanges(await stack.tap("--match", "--no-follow", "--json"))
            #expect(detail["answers"] as? Int == exchanges.count { $0.kind == "movie.detail" })
            let instances = try #require(object["instances"] as? [[String: Any]])
            let shares = instances.filter { ($0["name"] as? String)?.hasPrefix("detail-fetcher/") == true }
                .compactMap { $0["share"] as? Double }
            #expect(abs(shares.reduce(0, +) - 1) < 0.001)
            let table = try await stack.tap("--stats", "--no-follow")
            #expect(table.lines.contains { $0.hasPrefix("KIND") } && table.lines.contains { $0.hasPrefix("INSTANCE") })
            #expect(!table.output.contains("\u{1B}"))
        }

        @Test func `a recording has every event and keeps existing contents`() async throws {
            let file = stack.runFolder + "/events.ndjson"
            try Data("before\n".utf8).write(to: URL(filePath: file))
            try await show("2012-02-07")
            let shown = try await stack.tap("--kind", "query.*", "--no-follow", "--record", file)
            #expect(shown.status == 0, "\(shown)")
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.first == "before")
            let events = try lines.dropFirst().map { try TapEvent.decode(String($0)) }
            #expect(events.count > shown.lines.count)
            #expect(Set(events.map(\.sequence)).count == events.count)
        }

        @Test func `a recording is replayed in every view, without a stack`() async throws {
            let file = stack.runFolder + "/replayed.ndjson"
            let query = try await show("2012-02-08")
            let recorded = try await stack.tap("--no-follow", "--json", "--record", file)
            // No run folder: nothing is asked.
            func replay(_ options: String) async throws -> CommandResult {
                try await stack.shell("BOXOFFICE_RUN=/nowhere \"$BIN/tap\" --lang en --replay '\(file)' \(options)")
            }
            let json = try await replay("--json")
            #expect(try json.output == String(contentsOfFile: file, encoding: .utf8) && json.output == recorded.output)
            let tree = try await replay("--query \(query.prefix(8))")
            #expect(tree.output == (try await stack.tap("--query", String(query.prefix(8)))).output)
            #expect(try await replay("--match").output.contains("movie.detail?code="))
            #expect(try await replay("--stats").output.contains("INSTANCE"))
            #expect(try await replay("--last 2 --time relative").lines.first?.hasPrefix("+0.000  ") == true)
            let piped = try await stack.shell("\"$BIN/tap\" --replay - --json < '\(file)' | wc -l")
            #expect(piped.output == "\(json.lines.count - 1)\n", "\(piped)")

            try Data("{\"lost\":3}\nnonsense\n".utf8).write(to: URL(filePath: file))
            let broken = try await replay("")
            #expect(broken.status == 65 && broken.errors.contains("line 2, is no event"), "\(broken)")
            let absent = try await stack.tap("--replay", "/nowhere/events")
            #expect(absent.status == 74 && absent.errors.contains("/nowhere/events cannot be read"), "\(absent)")
            #expect(try await stack.tap("--replay", file, "--record", file).status == 64)
        }

        @Test func `an unknown kind gets a hint, and a tap's own event is shown when it is asked for`() async throws {
            let unknown = try await stack.tap("--kind", "chart.dialy", "--no-follow")
            #expect(unknown.status == 0 && unknown.errors.contains("Did you mean 'chart.daily'?"), "\(unknown)")
            #expect(try await stack.tap("--kind", "movie.*", "--no-follow").errors.isEmpty)
            #expect(try await !stack.tap("--no-follow").output.contains("tap_joined"))
            #expect(try await stack.tap("--kind", "broker.*", "--no-follow").output.contains("broker.tap_joined"))
        }

        @Test func `help and errors are in one language`() async throws {
            for (language, usage, error) in [
                ("ko", "개요: ", "tap: '--frobnicate' 옵션은 없습니다."),
                ("en", "OVERVIEW: ", "tap: Unknown option '--frobnicate'."),
            ] {
                let help = try await stack.command(Repository.binaries + "/tap", ["--help", "--lang", language]).run()
                #expect(help.status == 0 && help.output.hasPrefix(usage), "\(help)")
                let wrong = try await stack.command(
                    Repository.binaries + "/tap", ["--lang=\(language)", "--frobnicate"]
                ).run()
                #expect(wrong.status == 64 && wrong.errors.hasPrefix(error), "\(wrong)")
            }
        }

        @Test(arguments: [("/nowhere/events", "No such file"), ("/dev/full", "No space left")])
        func `a recording that cannot be written is reported`(file: String, reason: String) async throws {
            let result = try await stack.tap("--last", "1", "--no-follow", "--record", file)
            #expect(result.status == 74 && result.errors.contains(reason) && result.errors.contains(file), "\(result)")
        }

        @Test(arguments: [["--for", "300ms"], ["--idle", "300ms", "--kind", "nothing.of.this.kind"]])
        func `a tap ends when its time is over`(arguments: [String]) async throws {
            let start = ContinuousClock.now
            let result = try await stack.command(Repository.binaries + "/tap", arguments).run()
            #expect(result.status == 0, "\(result)")
            #expect(.now - start >= .milliseconds(300))
        }

        @Test func `a closed reader ends a tap even without events`() async throws {
            // The reader closes at once; no event is ever written to it.
            let result = try await stack.shell(
                #"timeout 20 "$BIN/tap" --kind breaker.open | true; echo "${PIPESTATUS[0]}""#)
            #expect(result.output == "0\n" && result.errors.isEmpty, "\(result)")
        }

        @Test(arguments: [("INT", 130), ("TERM", 143)] as [(String, Int)])
        func `an interrupted tap still prints its figures`(signal: String, status: Int) async throws {
            let script = """
                exec 3< <(exec "$BIN/tap" --lang en --stats --last 100 --record "$BOXOFFICE_RUN/\(signal)"; )
                pid=$!
                # The past is recorded before anything is shown.
                while kill -0 $pid && [[ ! -s $BOXOFFICE_RUN/\(signal) ]]; do sleep 0.02; done
                kill -\(signal) $pid
                cat <&3
                wait $pid
                echo "status $?"
                """
            let result = try await stack.shell(script)
            #expect(result.output.contains("KIND") && result.lines.contains("status \(status)"), "\(result)")
        }
    }
}
