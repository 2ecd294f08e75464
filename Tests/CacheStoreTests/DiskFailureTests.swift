import Foundation
import GRDB
import InMemoryLogging
import Logging
import Testing

@testable import CacheStoreCore

@Suite(.timeLimit(.minutes(1))) struct DiskFailureTests {
    @Test(arguments: [
        (ResultCode.SQLITE_FULL, StorageError.Code.diskFull), (.SQLITE_CORRUPT, .corrupt), (.SQLITE_NOTADB, .corrupt),
        (.SQLITE_READONLY, .notWritable), (.SQLITE_CANTOPEN, .notWritable), (.SQLITE_BUSY, .busy),
        (.SQLITE_MISUSE, .closed), (.SQLITE_IOERR, .failed),
    ])
    func everySQLiteFailureHasItsCode(result: ResultCode, code: StorageError.Code) {
        let error = StorageError(DatabaseError(resultCode: result, message: "because"), path: "/f/cache.sqlite")
        #expect(error.code == code)
        #expect(error.description == "\(code): /f/cache.sqlite: because")
        #expect(error.isRetriable == (code == .busy))
    }

    @Test(arguments: [
        Data("this is no database".utf8), Data("SQLite format 3\u{0} and then nothing that makes sense".utf8),
        Data(repeating: 0xA5, count: 100_000),
    ])
    func aFileThatIsNoDatabaseIsMovedAsideAndSaid(content: Data) async throws {
        try await withTemporaryFolder { folder in
            try content.write(to: URL(fileURLWithPath: folder + "/cache.sqlite"))
            let log = InMemoryLogHandler()
            let tier = try await DiskTier.open(in: folder, at: 1_641_340_800_000, logger: .kept(by: log))
            #expect(try await tier.put([.sample("movie?1")]).writes == [.stored])
            let aside = folder + "/cache.sqlite.corrupt-1641340800000"
            #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == content)
            #expect(log.entries.map { "\($0.metadata["cache.aside"] ?? "")" } == [aside])
        }
    }

    @Test func aDatabaseOfAnotherProgramIsMovedAsideUnchanged() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/cache.sqlite"
            let other = try DatabaseQueue(path: path)
            try await other.write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
            try other.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let tier = try await DiskTier.open(in: folder)
            #expect(try await tier.entries(for: ["movie?1"]).isEmpty)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".corrupt-7")) == before)
        }
    }

    @Test func aDatabaseOfALaterVersionIsMovedAsideWhole() async throws {
        try await withTemporaryFolder { folder in
            let later = try await DiskTier.open(in: folder + "/later")
            _ = try await later.put([.sample("movie?1")])
            try await later.pool.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 later')") }
            // What a killed process leaves: nearly everything is in the log still.
            for name in ["cache.sqlite", "cache.sqlite-wal"] {
                try FileManager.default.copyItem(atPath: "\(folder)/later/\(name)", toPath: "\(folder)/\(name)")
            }
            let tier = try await DiskTier.open(in: folder)
            #expect(try await tier.entries(for: ["movie?1"]).isEmpty)
            let kept = try DatabaseQueue(path: folder + "/cache.sqlite.corrupt-7")
            #expect(try await kept.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entry") } == 1)
        }
    }

    @Test func aMissingFolderIsMade() async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder + "/a/b")
            #expect(try await tier.put([.sample("movie?1")]).writes == [.stored])
        }
    }

    @Test func aFolderThatCannotBeMadeIsAClearError() async throws {
        try await withTemporaryFolder { folder in
            try Data().write(to: URL(fileURLWithPath: folder + "/file"))
            let error = await #expect(throws: StorageError.self) {
                _ = try await DiskTier.open(in: folder + "/file/cache")
            }
            #expect(error?.code == .notWritable)
            #expect(error?.message.contains(folder + "/file/cache") == true)
        }
    }

    @Test func aFullDiskIsSaidAndChangesNothing() async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder)
            _ = try await tier.put([.sample("movie?1", storedAt: 1)])
            try await tier.limitPages()
            let error = await #expect(throws: StorageError.self) {
                _ = try await tier.put([.sample("movie?1", storedAt: 2), .sample("movie?2", size: 100_000)])
            }
            #expect(error?.code == .diskFull)
            #expect(try await tier.entries(for: ["movie?1", "movie?2"]).values.map(\.storedAt) == [1])
        }
    }

    @Test func aClosedTierSaysSo() async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder)
            try await tier.close()
            let error = await #expect(throws: StorageError.self) { _ = try await tier.entries(for: ["movie?1"]) }
            #expect(error?.code == .closed)
        }
    }

    @Test func cancellationPassesUntouchedAndStoresNothing() async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder)
            await withTaskGroup { group in
                group.addTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                    await #expect(throws: CancellationError.self) { _ = try await tier.put([.sample("movie?1")]) }
                }
            }
            #expect(try await tier.entries(for: ["movie?1"]).isEmpty)
        }
    }
}

extension DiskTier {
    /// Lets the database grow no further, which SQLite reports as a full disk.
    func limitPages() async throws {
        try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
    }

    func unlimitPages() async throws {
        try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
    }
}
