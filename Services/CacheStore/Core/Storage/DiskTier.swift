import GRDB
public import Logging
import ProcessKit
public import Storage

/// The tier on disk: one SQLite database in WAL mode, which survives the end of the process.
///
/// With `synchronous` NORMAL a power failure may lose the last commits, never the file. All accesses run on GRDB's own
/// queues. Every call throws `StorageError`, or `CancellationError` unchanged, and then nothing was changed.
public struct DiskTier: Sendable {
    public let configuration: DiskTierConfiguration
    let pool: DatabasePool
    /// What the file held when it was opened.
    let openingTally: DiskTally
    /// The new path of an unusable file that was moved aside.
    let aside: String?
    private let identity: FileIdentity?

    /// Opens the database; see `DatabaseFile.open`.
    ///
    /// - Parameters:
    ///   - lock: of the folder.
    ///   - now: milliseconds since 1970, for the name of a file that is moved aside.
    public static func open(
        _ configuration: DiskTierConfiguration, lock: DataFolder? = nil, logger: Logger, at now: Int64
    ) async throws -> DiskTier {
        var file = CacheDatabase.file(at: configuration.path)
        file.lock = lock
        let opened = try await file.open(logger: logger, at: now, prepare: DiskTally.read)
        return DiskTier(
            configuration: configuration, pool: opened.pool, openingTally: opened.value, aside: opened.aside,
            identity: opened.identity)
    }

    /// Whether the path still names the open file.
    var isInPlace: Bool { CacheDatabase.file(at: configuration.path).isInPlace(identity) }

    /// Closes all connections after the running accesses have ended; later ones throw `closed`.
    public func close() async throws {
        let (pool, path) = (pool, configuration.path)
        try await runBlocking {
            do { try pool.close() } catch { throw StorageError(error, path: path) }
        }
    }

    /// Moves the database aside; no connection may be open.
    static func setAside(
        _ configuration: DiskTierConfiguration, because error: StorageError, logger: Logger, at now: Int64
    ) async throws -> String {
        try await CacheDatabase.file(at: configuration.path).setAside(because: error, logger: logger, at: now)
    }
}
