import ArchiveMachine
import Contracts
import Domain
import Envelope
import Foundation
import GRDB
import Logging
import Storage
import TestSupport
import Testing

@testable import ArchiveCore

@Suite("The archive's database", .timeLimit(.minutes(1)))
struct ArchiveTests {
    private let february = "2019-02-01".day..."2019-02-28".day
    /// 2026-11-28.
    private let now: Int64 = 1_795_000_000_000

    private func withArchive(_ body: (Archive, String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let archive = try await open(folder)
            do {
                try await body(archive, folder)
            } catch {
                try await archive.close()
                throw error
            }
            try await archive.close()
        }
    }

    private func open(_ folder: String) async throws -> Archive {
        try await Archive.open(in: folder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, at: now)
    }

    private func fill(_ archive: Archive, _ source: DataSource = .upstream) async throws {
        let sights = try ChartedMonth.charts().map { day, entries in
            RecordedSight(
                key: ChartKey(source, .daily, day),
                sight: ChartRecord.Sight(.entries(entries), fetchedAt: now - 1000), now: now)
        }
        #expect(try await archive.record(sights).allSatisfy { $0 == .newEdition })
    }

    @Test("A real month comes back value by value, also after the file was closed")
    func realMonth() async throws {
        try await withTemporaryFolder { folder in
            var archive = try await open(folder)
            try await fill(archive)
            try await archive.close()
            archive = try await open(folder)
            let charts = try await archive.charts(.real, .daily, in: february)
            let real = try ChartedMonth.charts()
            #expect(charts.map(\.date) == real.map(\.day))
            #expect(charts.map(\.entries) == real.map(\.entries))
            #expect(charts.allSatisfy { $0.state == .settled })
            #expect(try await archive.coverage(.real, .daily) == [2019: [.settled: 28]])
            try await archive.close()
        }
    }

    @Test("A film's run has its rows of each day, and passes ten million on 2019-02-06")
    func run() async throws {
        try await withArchive { archive, _ in
            try await fill(archive)
            let run = try await archive.run(of: "20182530", .real, in: february).rows
            let real = try ChartedMonth.charts().compactMap { day, entries in
                entries.first { $0.code == "20182530" }.map {
                    FilmDay(day: day, isProvisional: false, entry: $0)
                }
            }
            #expect(run == real)
            #expect(run.first { $0.entry.audienceTotal >= 10_000_000 }?.day == "2019-02-06".day)
        }
    }

    @Test("Data of different sources do not mix")
    func sources() async throws {
        try await withArchive { archive, _ in
            try await fill(archive, .demo)
            #expect(try await archive.charts(.real, .daily, in: february).isEmpty)
            #expect(try await archive.run(of: "20182530", .real, in: february).rows.isEmpty)
        }
    }

    @Test("Each edition can be read as it was known at a moment")
    func editions() async throws {
        try await withArchive { archive, _ in
            let key = ChartKey(.upstream, .daily, "2019-02-01".day)
            let (evening, morning): (Int64, Int64) = (1_549_036_800_000, 1_549_090_800_000)
            for (audience, at) in [(10, evening), (10, evening + 1000), (12, morning)] {
                try await archive.record(
                    ChartRecord.Sight(.entries([.archived(audience: audience)]), fetchedAt: at), of: key, now: now)
            }
            let editions = try await archive.editions(of: key)
            #expect(editions.map(\.firstSeen) == [evening, morning])
            #expect(editions.map(\.lastSeen) == [evening + 1000, morning])
            let day = key.firstDay...key.firstDay
            func audience(_ moment: Int64?) async throws -> Int? {
                try await archive.charts(.real, .daily, in: day, asOf: moment).first?.entries.first?
                    .audience
            }
            #expect(try await audience(evening - 1) == nil)
            #expect(try await audience(morning - 1) == 10)
            #expect(try await audience(nil) == 12)
            // An answer of the evening that arrives by another way is no edition of its own.
            try await archive.record(
                ChartRecord.Sight(.entries([.archived(audience: 10)]), fetchedAt: evening + 500), of: key, now: now)
            #expect(try await archive.editions(of: key).count == 2)
        }
    }

    @Test("A fetch that failed later is not part of an earlier moment")
    func laterFailure() async throws {
        try await withArchive { archive, _ in
            let key = ChartKey(.upstream, .daily, "2019-02-01".day)
            let day = key.firstDay...key.firstDay
            try await archive.record(
                ChartRecord.Sight(.failure(code: "timeout"), fetchedAt: now - 1000), of: key, now: now)
            #expect(try await archive.charts(.real, .daily, in: day, asOf: now).map(\.state) == [.failed])
            #expect(try await archive.charts(.real, .daily, in: day, asOf: now - 2000).map(\.state) == [.unknown])
        }
    }

    @Test("Answers that arrive together are all recorded, each with its own change")
    func together() async throws {
        try await withArchive { archive, _ in
            let changes = try await withThrowingTaskGroup(of: ChartRecord.Change.self) { group in
                for (day, entries) in try ChartedMonth.charts() {
                    group.addTask {
                        try await archive.record(
                            ChartRecord.Sight(.entries(entries), fetchedAt: now - 1000),
                            of: ChartKey(.upstream, .daily, day), now: now)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(changes.count == 28 && changes.allSatisfy { $0 == .newEdition })
            #expect(
                try await archive.charts(.real, .daily, in: february).map(\.entries)
                    == ChartedMonth.charts().map(\.entries))
        }
    }

    @Test("Days without a chart are ranges, also before the first known day and after the last one")
    func unknownDays() async throws {
        try await withArchive { archive, _ in
            try await fill(archive)
            let known = february.lowerBound...february.upperBound
            #expect(try await archive.unknownDays(.real, in: known) == [])
            let (before, after) = (known.lowerBound.advanced(by: -2), known.upperBound.advanced(by: 3))
            #expect(
                try await archive.unknownDays(.real, in: before...after)
                    == [before...before.advanced(by: 1), known.upperBound.advanced(by: 1)...after])
            #expect(try await archive.unknownDays(.demo, in: known) == [known])
            #expect(try await archive.finalCharts(.real, .daily, in: before...after) == 28)
        }
    }

    @Test("No more than fifty orders are open")
    func orders() async throws {
        try await withArchive { archive, _ in
            for day in february {
                for kind in [ChartKind.daily, .weekend] {
                    let question = ArchiveFillRequest(kind, day...february.upperBound, rate: nil)
                    let open = try await archive.orders().count
                    #expect(try await (archive.order(question, now: now) == nil) == (open == 50))
                }
            }
            // One that is open is joined, and an ended one makes room.
            let first = ArchiveFillRequest(.daily, february, rate: 7)
            #expect(try await archive.order(first, now: now)?.rate == 7)
            #expect(try await archive.change(.cancel, order: 1))
            let other = ArchiveFillRequest(.weekly, february, rate: nil)
            #expect(try await archive.order(other, now: now) != nil)
        }
    }

    @Test("A row that a disk has changed is removed when the archive is opened, and its day is unknown")
    func damage() async throws {
        try await withTemporaryFolder { folder in
            var archive = try await open(folder)
            try await fill(archive)
            try await archive.close()
            let raw = try DatabaseQueue(path: "\(folder)/archive.sqlite")
            try await raw.write { db in
                try db.execute(
                    sql: """
                        UPDATE entry SET audience = audience + 1 WHERE rowNumber = 3
                            AND edition = (SELECT edition FROM chart WHERE firstDay = '2019-02-03')
                        """)
            }
            try raw.close()
            archive = try await open(folder)
            let states = try await archive.charts(.real, .daily, in: february).filter { $0.state != .settled }
            #expect(states.map(\.date) == ["2019-02-03".day])
            #expect(states.map(\.state) == [.unknown])
            #expect(try await archive.run(of: "20182530", .real, in: february).rows.count == 27)
            try await archive.close()
        }
    }

    @Test("The tables are readable by other programs while the archive is open")
    func readableBesideIt() async throws {
        try await withArchive { archive, folder in
            try await fill(archive)
            var configuration = Configuration()
            configuration.readonly = true
            let shell = try DatabaseQueue(path: "\(folder)/archive.sqlite", configuration: configuration)
            let sum = try await shell.read { db in
                try Int.fetchOne(db, sql: "SELECT sum(audience) FROM chart_entry WHERE day = '2019-02-06'")
            }
            let real = try ChartedMonth.charts().first { $0.day == "2019-02-06".day }
            #expect(sum == real?.entries.map(\.audience).reduce(0, +))
            try shell.close()
        }
    }
}
