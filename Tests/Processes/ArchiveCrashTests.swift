import Foundation
import GRDB
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
                #expect(filled.output.hasSuffix("All 100 charts are archived.\n"))
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

        @Test func `a suspended archive is said to be away, and days are answered`() async throws {
            let pid = try await stack.pid(of: "archive/1")
            try await stack.watching { feed in
                try await whileStopped(pid) {
                    try await feed.first("broker.worker_left") { $0.says("instance", "archive/1") }
                    let run = try await stack.gateway("run", "20199001", "--lang", "en")
                    #expect(run.status == 69 && run.errors.contains("archive"), "\(run)")
                    try await stack.answered("show", "2019-03-16", "--top", "1")
                }
                try await feed.first("broker.worker_joined") { $0.says("instance", "archive/1") }
            }
            try await stack.answered("chart", "2019-03-16..2019-03-17", "--format", "csv")
        }

        @Test func `a file that was moved away ends the archive, which starts again with a new one`() async throws {
            let file = stack.runFolder + "/data/archive.sqlite"
            try await stack.answered("archive", "fill", "2018-06-01..2018-06-03", "--rate", "off")
            try await stack.watching { feed in
                for name in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: file + name) {
                    try FileManager.default.moveItem(
                        atPath: file + name, toPath: stack.runFolder + "/moved.sqlite" + name)
                }
                try await feed.first("broker.worker_joined") { $0.says("instance", "archive/1") }
            }
            let fetched = try await stack.answered("chart", "2018-06-01..2018-06-03", "--format", "csv")
            #expect(fetched.lines.count >= 31)
            #expect(FileManager.default.fileExists(atPath: file))
        }

        @Test func `a second archive on the same folder refuses to start, and says which folder`() async throws {
            let folder = stack.runFolder + "/data"
            let second = try await Command(
                path: try Repository.binaries + "/archive", arguments: [],
                environment: [
                    "BOXOFFICE_RUN": stack.runFolder, "BOXOFFICE_DATA_DIR": folder, "BOXOFFICE_INSTANCE": "archive/2",
                ]
            ).run()
            #expect(second.status == 78, "\(second)")
            #expect(second.errors.contains(folder) && second.errors.contains("BOXOFFICE_DATA_DIR"), "\(second)")
        }

        @Test(arguments: [
            ("CREATE TABLE song (title TEXT)", "another program"),
            (
                "PRAGMA application_id = \(0x424F_5841); PRAGMA user_version = 99; CREATE TABLE chart (id INTEGER)",
                "schema 99"
            ),
        ])
        func `a foreign or a newer database is refused and not changed`(statements: String, words: String) async throws
        {
            let folder = stack.runFolder + "/other-\(words.filter(\.isLetter))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            let database = folder + "/archive.sqlite"
            let queue = try DatabaseQueue(path: database)
            try await queue.write { try $0.execute(sql: statements) }
            try queue.close()
            let before = FileManager.default.contents(atPath: database)
            let other = try await Command(
                path: try Repository.binaries + "/archive", arguments: [],
                environment: [
                    "BOXOFFICE_RUN": stack.runFolder, "BOXOFFICE_DATA_DIR": folder, "BOXOFFICE_INSTANCE": "archive/3",
                ]
            ).run()
            #expect(other.status == 78 && other.errors.contains(words) && other.errors.contains(database), "\(other)")
            #expect(FileManager.default.contents(atPath: database) == before)
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

    #if os(Linux)
        /// A disk that becomes full during a fill; only root can mount a small one.
        @Suite(.enabled(if: geteuid() == 0)) struct FullArchiveTests {
            @Test func `a full disk pauses a fill, and it goes on when there is room`() async throws {
                try await TestStack.inRunFolder { stack in
                    let folder = stack.runFolder
                    let mounted = try await stack.shell("mount -t tmpfs -o size=200m,mode=700 tmpfs '\(folder)'")
                    try #require(mounted.status == 0)
                    let result: Result<Void, any Error>
                    do {
                        result = .success(try await expectPause(of: stack))
                    } catch {
                        result = .failure(error)
                    }
                    // The launcher finds its processes by the files there.
                    _ = try await stack.launcher(["down"])
                    _ = try await stack.shell("umount --lazy '\(folder)'")
                    try result.get()
                }
            }

            private func expectPause(of stack: TestStack) async throws {
                try await stack.up()
                let filling = stack.runFolder + "/filling"
                let filled = try await stack.shell(
                    "head -c $(($(df --output=avail -B1 '\(stack.runFolder)' | tail -n 1) - 200000)) /dev/zero > '\(filling)'"
                )
                try #require(filled.status == 0)
                let full = try await stack.gateway("archive", "fill", "2017", "--rate", "off", "--lang", "en")
                #expect(full.status == 75 && full.output.hasPrefix("Paused (the disk cannot be written):"), "\(full)")
                let doctor = try await stack.gateway("doctor", "--lang", "en")
                #expect(doctor.output.contains("is paused after a failure."), "\(doctor)")
                try FileManager.default.removeItem(atPath: filling)
                let whole = try await stack.answered("archive", "fill", "2017", "--rate", "off", "--lang", "en")
                #expect(whole.output.hasSuffix(" charts. All 365 charts are archived.\n"))
            }
        }
    #endif
}
