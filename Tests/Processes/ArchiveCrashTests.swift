import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ProcessTests.LifecycleTests {
    /// A fill of the archive, whose processes are killed or interrupted.
    @Suite(.serialized, .stack()) struct ArchiveCrashTests {
        private static let days = "2021-01-01..2021-04-10"

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        /// The films and admissions of each day, as the archive has them.
        private func archived(_ days: String) async throws -> [String] {
            let csv = try await stack.answered(
                "chart", days, "--offline", "--format", "csv", "--fields", "date,code,audience,audienceTotal")
            return Array(csv.lines.dropFirst()).filter { !$0.isEmpty }
        }

        /// The same from the upstream itself.
        private func published(_ days: [String]) async throws -> [String] {
            struct Body: Decodable {
                struct Result: Decodable { let dailyBoxOfficeList: [Film] }
                struct Film: Decodable { let movieCd, audiCnt, audiAcc: String }
                let boxOfficeResult: Result
            }
            var lines: [String] = []
            for day in days {
                let address =
                    try stack.upstream.base + UpstreamSwitches.chartPath
                    + "?key=0123456789abcdef0123456789abcdef&targetDt=\(day.replacing("-", with: ""))"
                let (data, _) = try await URLSession.shared.data(from: #require(URL(string: address)))
                let films = try JSONDecoder().decode(Body.self, from: data).boxOfficeResult.dailyBoxOfficeList
                lines += films.map { "\(day),\($0.movieCd),\($0.audiCnt),\($0.audiAcc)" }
            }
            return lines
        }

        @Test func `killing each process during a fill loses no day and repeats no call but those in flight`()
            async throws
        {
            let killed = ["archive/1", "chart-fetcher/1", "cache-store/1", "broker/1"]
            let calls = try await stack.upstream.calls {
                try await stack.watching { feed in
                    let detached = try await stack.gateway(
                        "archive", "fill", Self.days, "--rate", "5", "--detach", "--lang", "en")
                    try #require(detached.status == 0, "\(detached)")
                    try await feed.first("archive.chart_stored")
                    for instance in killed {
                        try await stack.crash(instance)
                        if instance != "broker/1" {
                            try await feed.first("broker.worker_joined") { $0.says("instance", instance) }
                        }
                    }
                }
                try await stack.untilComplete()
                // Joins the order if it is still open, and fetches nothing if it is not.
                let filled = try await stack.answered("archive", "fill", Self.days, "--rate", "off", "--lang", "en")
                #expect(filled.output == "All 100 charts are archived.\n")
            }
            #expect(calls[UpstreamSwitches.chartPath] ?? 0 <= 100 + 4 * killed.count, "\(calls)")
            let lines = try await archived(Self.days)
            #expect(lines.count == 1000)
            let days = Array(Set(lines.map { String($0.prefix(10)) })).sorted()
            #expect(try await published(days) == lines)
        }

        @Test func `Ctrl-C pauses a fill, and it goes on when it is asked for again`() async throws {
            let range = "2020-03-01..2020-03-31"
            let fill = try stack.command(
                Repository.binaries + "/gateway", ["archive", "fill", range, "--rate", "10", "--lang", "en"])
            let printed = try await stack.watching { feed in
                try await fill.reading { lines in
                    for _ in 1...3 { try await feed.first("archive.chart_stored") }
                    kill(lines.processIdentifier, SIGINT)
                    var printed: [String] = []
                    while let line = try await lines.next() { printed.append(line) }
                    return printed
                }
            }
            #expect(printed.first?.hasPrefix("Paused: ") == true, "\(printed)")
            let status = try await stack.answered("archive", "status", "--lang", "en")
            #expect(status.output.contains("\(range) paused"), "\(status)")
            #expect(try await stack.gateway("archive", "fill", range, "--rate", "off").status == 0)
            #expect(try await archived(range).count == 310)
        }

        @Test func `without an archive days are answered, and questions about time say what is missing`() async throws {
            #expect(try await stack.launcher(["scale", "archive=0"]).status == 0)
            let run = try await stack.gateway("run", "20199001", "--lang", "en")
            #expect(run.status == 69 && run.errors.contains("archive"), "\(run)")
            try await stack.answered("show", "2019-03-15", "--top", "1")
            try await stack.answered("movie", "20199001")
            #expect(try await stack.launcher(["scale", "archive=1"]).status == 0)
        }
    }
}
