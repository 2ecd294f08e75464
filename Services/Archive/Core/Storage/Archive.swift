import Domain
import GRDB
public import Logging
import ProcessKit
public import Storage
import Synchronization

/// The charts that were seen, in `archive.sqlite`. Nothing in it is evicted.
///
/// Accesses run on GRDB's own queues. Each throws `StorageError`, or `CancellationError` unchanged; then nothing was
/// changed.
public struct Archive: Sendable {
    let file: DatabaseFile
    let pool: DatabasePool
    let commits = SharedCommits()
    private let counter = AccessCounter()
    private let identity: FileIdentity?
    /// The new path of an unusable file that was moved aside.
    public let setAside: String?

    /// Opens the database; see `DatabaseFile.open`.
    ///
    /// - Parameters:
    ///   - folder: made if it is missing.
    ///   - lock: of the folder.
    ///   - now: milliseconds since 1970, for the name of a file that is moved aside.
    public static func open(
        in folder: String, lock: DataFolder? = nil, logger: Logger, at now: Int64
    ) async throws -> Archive {
        let file = ArchiveDatabase.file(in: folder, lock: lock)
        let opened = try await file.open(
            logger: logger, at: now, prepare: { try Archive.removeDamaged($0) + Archive.removeDamagedFilms($0) })
        if !opened.value.isEmpty {
            logger.error(
                "charts or films of the archive were damaged and were removed; they can be fetched again",
                metadata: ["archive.damaged": "\(opened.value.joined(separator: ", "))"])
        }
        return Archive(file: file, pool: opened.pool, identity: opened.identity, setAside: opened.aside)
    }

    private init(file: DatabaseFile, pool: DatabasePool, identity: FileIdentity?, setAside: String?) {
        self.file = file
        self.pool = pool
        self.identity = identity
        self.setAside = setAside
    }

    /// Whether the path still names the open file.
    public var isInPlace: Bool { file.isInPlace(identity) }

    /// The number of reads and writes since it was opened.
    var accesses: Int { counter.count.load(ordering: .relaxed) }

    /// Gives back what the connections have cached for questions.
    func releaseMemory() async {
        await runBlocking { [pool] in pool.releaseMemory() }
    }

    /// Closes all connections after the running accesses have ended; later ones throw `closed`.
    public func close() async throws {
        let (pool, path) = (pool, file.path)
        try await runBlocking {
            do { try pool.close() } catch { throw StorageError(error, path: path) }
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withStorageErrors { try await pool.read(body) }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let value = try await withStorageErrors { try await pool.write(body) }
        // What is written into a file without a name is lost.
        guard isInPlace else { throw moved }
        return value
    }

    /// Why nothing is read or written any more: somebody has moved or removed the open file.
    var moved: StorageError {
        StorageError(.closed, "\(file.path) was moved or removed while the archive was running")
    }

    private func withStorageErrors<Value>(_ access: () async throws -> Value) async throws -> Value {
        counter.count.add(1, ordering: .relaxed)
        do {
            return try await access()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw StorageError(error, path: file.path)
        }
    }
}

private final class AccessCounter: Sendable {
    let count = Atomic(0)
}
