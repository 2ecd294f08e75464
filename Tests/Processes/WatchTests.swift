import Foundation
import Testing

extension ProcessTests.CommandLineTests {
    /// `gateway watch` on one chart.
    @Suite(.serialized) struct WatchTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `only a revision is printed`() async throws {
            try await stack.answered("show", "2019-03-15")
            try await stack.changeCache(
                "chart.daily?date=2019-03-15", #""audience":134567"#, into: #""audience":134000"#)
            let watch = try stack.command(Repository.binaries + "/gateway", ["watch", "2019-03-15", "--json"])
            try await watch.reading { lines in
                func audience() async throws -> Int? {
                    let line = try #require(try await lines.next())
                    return try JSONDecoder().decode(ChartAnswer.self, from: Data(line.utf8)).chart.value?.entries.first?
                        .audience
                }
                let before = try await audience()
                #expect(before == 134_000)
                // A refresh of another day and an answer from the cache print nothing.
                try await stack.answered("chart", "2019-03-16", "--refresh")
                try await stack.answered("chart", "2019-03-15")
                try await stack.answered("chart", "2019-03-15", "--refresh")
                let after = try await audience()
                #expect(after == 134_567)
            }
        }

        @Test func `a named day's brief is printed once, when the chart is there`() async throws {
            let watched = try await stack.answered("watch", "2006-03-16", "--brief", "--lang", "en")
            let brief = try await stack.answered("brief", "2006-03-16", "--lang", "en")
            #expect(watched.output == brief.output && brief.lines.count == 5, "\(watched)")
        }

        @Test func `a closed reader ends watch`() async throws {
            let result = try await stack.shell(#""$BIN/gateway" watch 2019-03-15 | head -n 1; echo "${PIPESTATUS[@]}""#)
            #expect(
                result.lines.prefix(2) == ["박스오피스 2019-03-15 금요일  확정 · 데모 데이터", "0 0"] && result.errors.isEmpty,
                "\(result)")
        }

        @Test(arguments: ["--refresh", "--offline", "--top 11", "2003-01-01"])
        func `contradictory options are refused`(options: String) async throws {
            let words = options.split(separator: " ").map(String.init)
            let result = try await stack.command(Repository.binaries + "/gateway", ["watch"] + words).run()
            #expect(result.status == 64 && result.output.isEmpty, "\(result)")
        }
    }
}
