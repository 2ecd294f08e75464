import Foundation
import GRDB
public import Logging

/// The tier on disk: one SQLite database in WAL mode, which survives the death of the process.
///
/// With `synchronous` NORMAL a power cut may cost the last commits, never the file. All accesses run on GRDB's own
/// queues. Every call throws `StorageError`, or `CancellationError` untouched, and then nothing was changed.
public struct DiskTier: Sendable {
    public let configuration: DiskTierConfiguration
    let pool: DatabasePool
    /// What the file held when it was opened.
    let openingTally: DiskTally

    /// Opens the database and makes folder, file and tables that are missing.
    ///
    /// A damaged or foreign file is moved aside, with a word in the log, and a fresh one takes its place.
    ///
    /// - Parameter now: milliseconds since 1970, for the name of a file that is moved aside.
    public static func open(
        _ configuration: DiskTierConfiguration, logger: Logger, at now: Int64
    ) async throws -> DiskTier {
        do {
            return try await blockingCall {
                try makeFolder(configuration.folder)
                return try openFile(configuration)
            }
        } catch let error as StorageError where error.code == .corrupt || error.code == .foreign {
            try await setAside(configuration, because: error, logger: logger, at: now)
            return try await blockingCall { try openFile(configuration) }
        }
    }

    /// Closes all connections once the accesses under way have ended; later ones throw `closed`.
    public func close() async throws {
        let (pool, path) = (pool, configuration.path)
        try await blockingCall {
            do { try pool.close() } catch { throw StorageError(error, path: path) }
        }
    }

    /// Renames the database to `cache.sqlite.corrupt-<now>`; no connection may be open.
    static func setAside(
        _ configuration: DiskTierConfiguration, because error: StorageError, logger: Logger, at now: Int64
    ) async throws {
        let path = configuration.path
        let aside = "\(path).corrupt-\(now)"
        try await blockingCall { try moveAside(path, to: aside) }
        logger.error(
            "the cache database cannot be used and was moved aside",
            metadata: ["cache.reason": "\(error)", "cache.aside": "\(aside)"])
    }

    private static func makeFolder(_ folder: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw StorageError(.notWritable, "the folder \(folder) cannot be made: \(error)", underlying: error)
        }
    }

    /// The pool of a failed attempt is closed by leaving this scope, before anyone moves its file: a connection
    /// deletes its `-wal` by name when it closes, and that name would be the new file's.
    private static func openFile(_ configuration: DiskTierConfiguration) throws -> DiskTier {
        do {
            let pool = try CacheDatabase.open(path: configuration.path)
            return DiskTier(configuration: configuration, pool: pool, openingTally: try pool.read(DiskTally.read))
        } catch {
            throw StorageError(error, path: configuration.path)
        }
    }

    private static func moveAside(_ path: String, to aside: String) throws {
        // The log and its index go along, so that the moved database is whole for whoever looks into it.
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            do {
                try FileManager.default.moveItem(atPath: path + suffix, toPath: aside + suffix)
            } catch {
                throw StorageError(
                    .notWritable, "\(path + suffix) cannot be moved aside: \(error)", underlying: error)
            }
        }
    }
}
