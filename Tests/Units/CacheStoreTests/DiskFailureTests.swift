import Foundation
import GRDB
import InMemoryLogging
import Logging
import ProcessKit
import Storage
import TestSupport
import Testing

@testable import CacheStoreCore

@Suite(.timeLimit(.minutes(1))) struct DiskFailureTests {
    @Test(arguments: [
        (ResultCode.SQLITE_FULL, StorageError.Code.diskFull), (.SQLITE_CORRUPT, .corrupt), (.SQLITE_NOTADB, .corrupt),
        (.SQLITE_READONLY, .notWritable), (.SQLITE_CANTOPEN, .notWritable), (.SQLITE_BUSY, .busy),
        (.SQLITE_MISUSE, .closed), (.SQLITE_IOERR, .failed),
    ])
    func `every SQLite failure has its code`(result: ResultCode, code: StorageError.Code) {
        let error = StorageError(DatabaseError(resultCode: result, message: "because"), path: "/f/cache.sqlite")
        #expect(error.code == code)
        #expect(error.description == "\(code): /f/cache.sqlite: because")
        #expect(error.isRetryable == (code == .busy))
    }

    @Test(arguments: [
        Data("this is no database".utf8), Data("SQLite format 3\u{0} and then nothing that makes sense".utf8),
        Data(repeating: 0xA5, count: 100_000),
    ])
    func `a file that is not a database is moved aside and logged`(content: Data) async throws {
        try await withTemporaryFolder { folder in
            try content.write(to: URL(fileURLWithPath: folder + "/cache.sqlite"))
            let log = InMemoryLogHandler()
            let tier = try await DiskTier.open(in: folder, at: 1_641_340_800_000, logger: .recording(to: log))
            #expect(try await tier.put([.sample("movie?1")]).writes == [.stored])
            let aside = folder + "/cache.sqlite.corrupt-1641340800000"
            #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == content)
            #expect(log.entries.map { "\($0.metadata["cache.aside"] ?? "")" } == [aside])
        }
    }

    @Test(
        "An intact database of another program or of a later version is refused and not changed",
        arguments: [
            ("CREATE TABLE song (title TEXT)", StorageError.Code.foreign, "another program"),
            (
                "PRAGMA application_id = \(0x424F_5843); PRAGMA user_version = \(CacheDatabase.schemaVersion + 1); CREATE TABLE entry (id INTEGER)",
                .newer,
                "schema \(CacheDatabase.schemaVersion + 1), and this program (\(ProductVersion.current)) knows schemas up to \(CacheDatabase.schemaVersion)"
            ),
        ])
    func soundDatabase(statements: String, code: StorageError.Code, words: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/cache.sqlite"
            let other = try DatabaseQueue(path: path)
            try await other.write { try $0.execute(sql: statements) }
            try other.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            for _ in 0..<2 {
                let error = await #expect(throws: StorageError.self) { _ = try await TieredStore.open(in: folder) }
                #expect(error?.code == code && error?.message.contains(words) == true && error?.needsOperator == true)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("corrupt") }.isEmpty)
        }
    }

    @Test("A database of a build before the first release is replaced and kept aside")
    func unreleasedDatabase() async throws {
        try await withTemporaryFolder { folder in
            let old = try DatabaseQueue(path: folder + "/cache.sqlite")
            try await old.write {
                try $0.execute(sql: "PRAGMA application_id = \(0x424F_5843); CREATE TABLE entry (id INTEGER)")
            }
            try old.close()
            let log = InMemoryLogHandler()
            let tier = try await DiskTier.open(in: folder, logger: .recording(to: log))
            #expect(try await tier.put([.sample("movie?1")]).writes == [.stored])
            #expect(tier.aside == folder + "/cache.sqlite.corrupt-7")
            #expect(
                log.entries.map { "\($0.message)" } == [
                    "the cache database cannot be used and was moved aside; everything that was cached is lost"
                ])
        }
    }

    @Test("Other users have no access to the folder, whatever the umask")
    func folderMode() async throws {
        try await withTemporaryFolder { folder in
            _ = try await DiskTier.open(in: folder + "/cache")
            let mode = try FileManager.default.attributesOfItem(atPath: folder + "/cache")[.posixPermissions]
            #expect(mode as? Int == 0o700)
        }
    }

    @Test func `access to the program's own folder is restricted and a shared folder is unchanged`() async throws {
        try await withTemporaryFolder { folder in
            for (name, mode) in [("ours", 0o700), ("shared", 0o755)] {
                let path = "\(folder)/\(name)"
                try await DiskTier.open(in: path).close()
                let permissions = [FileAttributeKey.posixPermissions: 0o755]
                try FileManager.default.setAttributes(permissions, ofItemAtPath: path)
                let file = path + "/cache.sqlite"
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
                if name == "shared" { try Data().write(to: URL(fileURLWithPath: path + "/another")) }
                let tier = try await DiskTier.open(in: path)
                #expect(try await tier.put([.sample("movie?1")]).writes == [.stored])
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
                for suffix in ["", "-wal", "-shm"] {
                    let attributes = try FileManager.default.attributesOfItem(atPath: file + suffix)
                    #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name) \(suffix)")
                }
            }
        }
    }

    @Test func `a missing folder is created`() async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder + "/a/b")
            #expect(try await tier.put([.sample("movie?1")]).writes == [.stored])
        }
    }

    @Test func `a folder that cannot be created is an error with its path`() async throws {
        try await withTemporaryFolder { folder in
            try Data().write(to: URL(fileURLWithPath: folder + "/file"))
            let error = await #expect(throws: StorageError.self) {
                _ = try await DiskTier.open(in: folder + "/file/cache")
            }
            #expect(error?.code == .notWritable)
            #expect(error?.message.contains(folder + "/file/cache") == true)
        }
    }

    @Test func `a full disk is reported and changes nothing`() async throws {
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

    @Test func `a closed tier throws closed`() async throws {
        try await withTemporaryFolder { folder in
            let tier = try await DiskTier.open(in: folder)
            try await tier.close()
            let error = await #expect(throws: StorageError.self) { _ = try await tier.entries(for: ["movie?1"]) }
            #expect(error?.code == .closed)
        }
    }

    @Test func `a cancellation is thrown unchanged and stores nothing`() async throws {
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
    /// Prevents the database from growing, which SQLite reports as a full disk.
    func limitPages() async throws {
        try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
    }

    func unlimitPages() async throws {
        try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
    }
}
