import Domain
import Envelope
import Foundation
import GRDB
import Logging
import Storage
import TestSupport
import Testing

@testable import ArchiveCore

@Suite("Films in the archive's database", .timeLimit(.minutes(1)))
struct ArchivedFilmTests {
    private let film = FilmDetail(
        code: "20182530", title: "극한직업", titleEnglish: "Extreme Job", runningMinutes: 111, productionYear: 2018,
        openingDay: "2019-01-23".day, nations: ["한국"], genres: ["코미디"],
        directors: [Person(name: "이병헌", nameEnglish: nil)])

    private func open(_ folder: String) async throws -> Archive {
        try await Archive.open(in: folder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, at: 1)
    }

    private func rows(_ archive: Archive) async throws -> [String] {
        try await archive.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT source || ' ' || code || ' ' || film.title || ' ' || runningMinutes || ' ' || nation.value
                    FROM film, json_each(nations) AS nation ORDER BY source
                    """)
        }
    }

    @Test("A later detail replaces an earlier one, and sources stay apart")
    func replacing() async throws {
        try await withTemporaryFolder { folder in
            let archive = try await open(folder)
            try await archive.record(film, .upstream, seenAt: 2000)
            let renamed = FilmDetail(code: film.code, title: "이전 제목", runningMinutes: 1, nations: ["미국"])
            try await archive.record(renamed, .upstream, seenAt: 1000)
            try await archive.record(renamed, .demo, seenAt: 1000)
            let kept = try await rows(archive)
            #expect(kept == ["demo 20182530 이전 제목 1 미국", "upstream 20182530 극한직업 111 한국"])
            try await archive.close()
        }
    }

    @Test("A detail that a disk has changed is removed when the archive opens")
    func damage() async throws {
        try await withTemporaryFolder { folder in
            var archive = try await open(folder)
            try await archive.record(film, .upstream, seenAt: 2000)
            try await archive.record(film, .demo, seenAt: 2000)
            try await archive.write {
                try $0.execute(sql: "UPDATE film SET runningMinutes = 112 WHERE source = 'demo'")
            }
            try await archive.close()
            archive = try await open(folder)
            let kept = try await rows(archive)
            #expect(kept == ["upstream 20182530 극한직업 111 한국"])
            try await archive.close()
        }
    }

    @Test("Nothing is acknowledged that is written into a file without a name")
    func moved() async throws {
        try await withTemporaryFolder { folder in
            let archive = try await open(folder)
            try await archive.record(film, .upstream, seenAt: 2000)
            #expect(archive.isInPlace)
            try FileManager.default.removeItem(atPath: "\(folder)/archive.sqlite")
            #expect(!archive.isInPlace)
            await #expect(throws: StorageError.self) { try await archive.record(film, .upstream, seenAt: 3000) }
            try await archive.close()
        }
    }
}
