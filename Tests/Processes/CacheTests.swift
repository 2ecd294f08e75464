import Foundation
import GRDB
import TestSupport
import Testing

extension ProcessTests.CommandLineTests {
    /// The commands that inspect and delete cache entries.
    @Suite(.serialized, .stack()) struct CacheTests {
        struct Stats: Decodable {
            struct Tier: Decodable {
                let name: String
                let entries: Int
                let bytes: Int
            }

            let memory: [Tier]
            let disk: Tier
            let diskFailure: String?
            let failures: Int
        }

        struct Removal: Decodable {
            let entries: Int
            let failures: Int
        }

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `only purged entries are fetched again`() async throws {
            try await stack.answered("show", "2019-03-15")
            _ = try await stack.gateway("poster", "포스터 없는 밤")
            let before: Stats = try await stack.json("cache", "stats")
            #expect(before.disk.entries == 7 && before.diskFailure == nil && before.failures == 1, "\(before)")
            #expect(before.memory.first { $0.name == "movie" }?.entries == 3)
            #expect(before.memory.reduce(0) { $0 + $1.bytes } == before.disk.bytes)
            let text = try await stack.answered("cache", "stats")
            #expect(text.output.contains(/디스크 +7 +500,000 +[0-9]+ KiB +512 MiB/), "\(text)")
            #expect(text.output.contains("기억하는 실패: 1"))

            let purged: Removal = try await stack.json("cache", "purge", "movie")
            #expect(purged.entries == 3 && purged.failures == 0)
            let calls = try await stack.upstream.calls { try await stack.answered("show", "2019-03-15") }
            #expect(calls == [UpstreamSwitches.detailPath: 3])

            let one = try await stack.answered("cache", "purge", "chart.daily?date=2019-03-15")
            #expect(one.output.contains("1개 항목을 지웠습니다"))
            let again = try await stack.upstream.calls { try await stack.answered("chart", "2019-03-15") }
            #expect(again == [UpstreamSwitches.chartPath: 1])
            #expect(try await stack.answered("cache", "purge", "chart.daily?date=2003-11-12").output.contains("0개"))
        }

        @Test func `clear removes everything except the count of calls`() async throws {
            try await stack.answered("chart", "2019-03-16")
            let quota = try await stack.answered("quota", "--json").output
            let cleared: Removal = try await stack.json("cache", "clear")
            #expect(cleared.entries > 0)
            let stats: Stats = try await stack.json("cache", "stats")
            #expect(stats.disk.entries == 0 && stats.disk.bytes == 0 && stats.failures == 0)
            #expect(stats.memory.allSatisfy { $0.entries == 0 && $0.bytes == 0 })
            #expect(try await stack.answered("quota", "--json").output == quota)
            let calls = try await stack.upstream.calls { try await stack.answered("chart", "2019-03-16") }
            #expect(calls == [UpstreamSwitches.chartPath: 1])
        }

        @Test func `a pinned poster survives fetches and clear`() async throws {
            struct Candidates: Decodable {
                struct Candidate: Decodable {
                    let imageURL: String
                }

                let candidates: [Candidate]
            }

            try await stack.answered("show", "2019-03-15")
            let found: Candidates = try await stack.json("poster", "pin", "20199001")
            try #require(found.candidates.count > 2)
            let list = try await stack.answered("poster", "pin", "20199001")
            #expect(list.lines[2].hasPrefix("  3  ") && list.lines[2].hasSuffix(found.candidates[2].imageURL))
            #expect(try await stack.answered("poster", "pin", "20199001", "3").output.hasPrefix("고정했습니다"))

            func fetchImageURL() async throws -> String? {
                let answer: ChartAnswer = try await stack.json("show", "2019-03-15", "--refresh")
                return answer.films?.first { $0.code == "20199001" }?.poster?.value?.imageURL
            }
            #expect(try await fetchImageURL() == found.candidates[2].imageURL)
            try await stack.answered("cache", "clear")
            #expect(try await fetchImageURL() == found.candidates[2].imageURL)
            try await stack.watching { feed in
                try await stack.crash("cache-store/1")
                try await feed.first("broker.worker_joined") { $0.says("instance", "cache-store/1") }
            }
            #expect(try await fetchImageURL() == found.candidates[2].imageURL)
            #expect(try await stack.answered("poster", "unpin", "20199001").output.contains("풀었습니다"))
            #expect(try await fetchImageURL() == found.candidates[0].imageURL)
        }

        @Test func `purge requires an explicit selection`() async throws {
            for arguments in [["purge"], ["purge", ""], ["purge", "a", "b"], ["nonsense"]] {
                let result = try await stack.command(Repository.binaries + "/gateway", ["cache"] + arguments).run()
                #expect(result.status == 64 && result.output.isEmpty, "\(result)")
            }
        }

        @Test func `a stale entry is returned at once and revalidated on request`() async throws {
            func show(_ arguments: String...) async throws -> ChartAnswer {
                try await stack.command(
                    Repository.binaries + "/gateway", ["show", "2019-03-17", "--json"] + arguments
                ).run().decoded()
            }
            func attributes(_ answer: ChartAnswer) -> [String?] {
                [answer.chart.cache?.detail]
                    + (answer.films ?? []).flatMap { [$0.detail?.cache?.detail, $0.poster?.cache?.detail] }
            }

            let first = try await show()
            try #require(first.complete)
            let count = attributes(first).count
            try await stack.ageCache(bySeconds: 3600)
            let calls = try await stack.watching { feed in
                try await stack.upstream.calls {
                    // A part that waits for the upstream would miss the deadline.
                    try await stack.upstream.withLatency(milliseconds: 700) {
                        let stale = try await show("--stale-while-revalidate", "4000", "--timeout", "0.6")
                        #expect(!stale.complete && stale.chart.status == "stale" && stale.chart.failure == nil)
                        #expect(attributes(stale).count == count)
                        #expect(attributes(stale).allSatisfy { $0 == "revalidating" }, "\(stale)")
                        for _ in 1...count { try await feed.first("cache.put.answered") }
                    }
                }
            }
            #expect(calls.values.reduce(0, +) == count)
            let after = try await stack.upstream.calls {
                let fresh = try await show()
                #expect(fresh.complete)
            }
            #expect(after.isEmpty)
        }

        @Test func `an entry that is stale for too long is fetched before the answer`() async throws {
            try await stack.answered("chart", "2019-03-18")
            try await stack.ageCache(bySeconds: 3600)
            let setting = ["BOXOFFICE_STALE_WHILE_REVALIDATE": "3000"]
            let fetched = try await stack.gateway("chart", "2019-03-18", environment: setting)
            #expect(fetched.status == 0 && !fetched.output.contains("오래된"), "\(fetched)")
            try await stack.ageCache(bySeconds: 2000)
            let stale = try await stack.gateway("chart", "2019-03-18", environment: setting)
            #expect(stale.status == 0 && stale.output.contains(/오래된 자료 \(.+\) — 새 자료를 요청했습니다\./), "\(stale)")
            for (name, value) in [("--stale-while-revalidate", "-1"), ("--stale-while-revalidate", "2y")] {
                #expect(try await stack.gateway("chart", "2019-03-18", "\(name)=\(value)").status == 64)
            }
            let wrong = try await stack.gateway(
                "chart", "2019-03-18", environment: ["BOXOFFICE_STALE_WHILE_REVALIDATE": "soon"])
            #expect(wrong.status == 78 && wrong.errors.contains("BOXOFFICE_STALE_WHILE_REVALIDATE=soon"), "\(wrong)")
        }

        @Test func `a damaged database is moved aside and the stack answers`() async throws {
            let folder = "\(stack.runFolder)/cache"
            try await stack.withoutStore {
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                    try Data("this is no database".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
                }
            }
            try await stack.answered("chart", "2019-03-15")
            let stats: Stats = try await stack.json("cache", "stats")
            #expect(stats.disk.entries == 1 && stats.diskFailure == nil)
            let aside = try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.contains(/\.sqlite\.corrupt-[0-9]+$/) }.sorted().map { $0.prefix { $0 != "." } }
            #expect(aside == ["cache", "state"])
            let log = try await stack.launcher(["logs", "cache-store"]).output
            #expect(log.contains("the cache database cannot be used and was moved aside"))
            #expect(log.contains("the state database cannot be used and was moved aside"))
        }

        @Test func `a payload that the disk has changed is fetched again, counted and published`() async throws {
            try await stack.answered("show", "2019-03-15")
            // The archive may read a changed detail before the question does.
            try await stack.watching { feed in
                try await stack.withoutStore {
                    let database = try DatabaseQueue(path: "\(stack.runFolder)/cache/cache.sqlite")
                    try database.write { db in
                        try db.execute(
                            sql: """
                                UPDATE payload SET value = x'7B7D' WHERE id IN
                                    (SELECT id FROM entry WHERE kind IN ('movie.detail', 'poster.find'))
                                """)
                    }
                    try database.close()
                }
                let calls = try await stack.upstream.calls {
                    let answer: ChartAnswer = try await stack.json("show", "2019-03-15")
                    #expect(answer.complete, "\(answer)")
                }
                #expect(calls[UpstreamSwitches.detailPath] == 3 && calls[UpstreamSwitches.chartPath] == nil, "\(calls)")
                try await feed.first("cache.entry_damaged") { $0.text("key")?.hasPrefix("movie.detail?") == true }
            }
            let doctor = try await stack.gateway("doctor", "--lang", "en")
            #expect(doctor.status == 74 && doctor.output.contains("6 stored entries"), "\(doctor)")
            // The counts end with the process.
            try await stack.withoutStore {}
            #expect(try await stack.gateway("doctor").status == 0)
        }

        @Test func `a state file of a later version ends cache-store once and stays unchanged`() async throws {
            let file = "\(stack.runFolder)/cache/state.sqlite"
            func setVersion(_ version: Int) throws {
                let database = try DatabaseQueue(path: file)
                try database.write { try $0.execute(sql: "PRAGMA user_version = \(version)") }
                try database.close()
            }
            try await stack.answered("chart", "2019-03-15")
            let current = try await DatabaseQueue(path: file).read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
            let version = try #require(current)
            let quota = try await stack.answered("quota", "--json").output
            try setVersion(9)
            try await stack.crash("cache-store/1")
            var shown = ""
            while !shown.contains("cache-store/1 is not restarted: a setting or file is wrong") {
                shown = try await stack.launcher(["ps"]).output
                try Task.checkCancellation()
            }
            #expect(
                shown.contains("has schema 9, and this program") && shown.contains("schemas up to \(version)"),
                "\(shown)")
            try setVersion(version)
            #expect(try await stack.launcher(["restart", "cache-store/1"]).status == 0)
            #expect(try await stack.answered("quota", "--json").output == quota)
        }

        @Test func `without a disk the stack answers from memory and reports it`() async throws {
            let folder = "\(stack.runFolder)/cache"
            try await stack.withoutStore {
                try FileManager.default.removeItem(atPath: folder)
                // A file in place of the folder: no user can write there, not even root.
                try Data().write(to: URL(fileURLWithPath: folder))
            }
            try await stack.answered("chart", "2019-03-15")
            let calls = try await stack.upstream.calls { try await stack.answered("chart", "2019-03-15") }
            #expect(calls.isEmpty)
            let stats = try await stack.answered("cache", "stats", "--lang", "en")
            #expect(stats.output.contains("Disk cache unavailable; serving from memory: not_writable"), "\(stats)")
            #expect(try await stack.launcher(["logs", "cache-store"]).output.contains("memory alone"))
            try await stack.withoutStore { try FileManager.default.removeItem(atPath: folder) }
        }
    }
}
