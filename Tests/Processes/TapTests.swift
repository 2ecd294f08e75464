import Testing

extension ProcessTests.CommandLineTests {
    /// The event stream as `tap` prints it.
    @Suite(.serialized, .stack()) struct TapTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `the stream holds a query from its start to its answer`() async throws {
            let answered = try await stack.watching { feed in
                async let result = stack.gateway("show", "2012-01-02", "--top", "2")
                let answered = try await feed.first("query.answered")
                #expect(try await result.status == 0)
                return answered
            }
            let events = try await stack.pastEvents()
            let numbers = events.map(\.sequence)
            #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + UInt64(numbers.count)))

            let query = events.filter { $0.query == answered.query }
            let started = try #require(query.first { $0.kind == "query.started" })
            #expect(started.source.hasPrefix("gateway/") && started.source == answered.source)
            #expect(started.says("command", "show") && started.says("date", "2012-01-02"))
            #expect(query.count { $0.kind == "part.requested" } == 5)
            #expect(query.count { $0.kind == "part.arrived" && $0.says("status", "ok") } == 5)
            for kind in ["broker.queued", "broker.dispatched", "broker.answered"] {
                #expect(query.contains { $0.kind == kind && $0.source == "broker/1" }, "\(kind)")
            }
            for service in ["chart-fetcher", "detail-fetcher", "poster-resolver", "cache-store"] {
                #expect(query.contains { $0.source.hasPrefix("\(service)/") && $0.kind.hasSuffix(".answered") })
            }
            #expect(Set(query.compactMap(\.request)).count > 5)
        }

        @Test func `every worker has joined, and text output has one line per event`() async throws {
            let result = try await stack.tap("--last", "10000", "--no-follow")
            let joined = result.lines.filter { $0.contains("broker.worker_joined") }
            for worker in TestStack.workers {
                #expect(joined.contains { $0.contains("instance=\(worker) ") }, "\(worker)")
            }
            for line in result.lines.dropLast() {
                #expect(line.contains(/^[0-9:]{8}\.[0-9]{3}  [a-z-]+\/[0-9A-Za-z-]+  [a-z_.]+/), "\(line)")
            }
        }

        @Test(arguments: [1, 7, 60])
        func `count ends a tap after that many events`(count: Int) async throws {
            _ = try await stack.gateway("show", "2012-01-03")
            let result = try await stack.tap("--last", "1000", "--count", "\(count)")
            #expect(result.status == 0)
            #expect(result.lines.count == count + 1)
        }

        @Test func `count includes live events`() async throws {
            let count = 12
            let lines = try await stack.command(
                Repository.binaries + "/tap", ["--last", "1", "--count", "\(count)", "--json"]
            ).reading { lines in
                // The first line shows that it has subscribed; a chart causes more events than the remaining count.
                var read = try await [lines.next()]
                try await stack.answered("chart", "2012-05-06")
                while let line = try await lines.next() { read.append(line) }
                return read.count
            }
            #expect(lines == count)
        }

        @Test func `a closed pipe ends a tap silently`() async throws {
            _ = try await stack.gateway("chart", "2012-01-04")
            let script = "exec 3> >(:); wait $!; exec \"$BIN/tap\" --last 20"
            for option in ["", "--json", "--no-follow"] {
                let result = try await stack.shell("\(script) \(option) >&3 3>&-")
                #expect(result.status == 0 && result.errors.isEmpty, "\(option): \(result)")
            }
        }

        @Test func `reading only the head is a silent success`() async throws {
            let result = try await stack.shell(
                #""$BIN/tap" --last 500 --no-follow | head -n 1; echo "${PIPESTATUS[@]}""#)
            #expect(result.lines.dropFirst().first == "0 0")
            #expect(result.errors.isEmpty)
        }

        @Test(arguments: [
            ["--count", "0"], ["--last", "-1"], ["--follow"], ["--broker", "nowhere"], ["--kind", ""],
            ["--query", "xyz"],
            ["--for", "soon"], ["--idle", "-1s"], ["--since", "yesterday"], ["--last", "1", "--since", "5m"],
            ["--match", "--stats"], ["--stats", "--count", "3"], ["--query", "abcd", "--last", "3"],
            ["--no-follow", "--for", "1s"], ["--query", "abcd", "--kind", "chart.*"], ["--service", ""],
        ])
        func `a wrong command line is a usage error`(arguments: [String]) async throws {
            let result = try await stack.command(Repository.binaries + "/tap", arguments).run()
            #expect(result.status == 64, "\(result)")
        }

        @Test func `on a terminal tap says that it waits`() async throws {
            let inner = "exec \\\"$BIN/tap\\\" --kind none.such --for 300ms --lang en"
            let shown = try await stack.shell("TERM=xterm script -qec \"\(inner)\" /dev/null").output
            #expect(shown.contains("tap: Waiting for events. Stop: Ctrl-C"), "\(shown)")
        }
    }
}
