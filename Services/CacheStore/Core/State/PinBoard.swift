import Foundation
import GRDB
public import Logging

/// Entries that somebody has chosen by hand: fresh until they are unpinned, whatever is fetched, purged or cleared.
public actor PinBoard {
    private let folder: String
    private let logger: Logger
    private let wallClock: @Sendable () -> Int64
    private var pool: DatabasePool?
    private var entries: [String: CacheEntry] = [:]

    /// Opens `state.sqlite` in the folder; while it cannot be opened nothing is pinned, and each change tries again.
    ///
    /// - Parameter wallClock: milliseconds since 1970.
    public static func open(
        folder: String, logger: Logger, wallClock: @escaping @Sendable () -> Int64
    ) async throws -> PinBoard {
        let board = PinBoard(folder: folder, logger: logger, wallClock: wallClock)
        do {
            _ = try await board.openPool()
        } catch let error as StorageError {
            logger.error("nothing is pinned", metadata: ["state.reason": "\(error)"])
        }
        return board
    }

    private init(folder: String, logger: Logger, wallClock: @escaping @Sendable () -> Int64) {
        self.folder = folder
        self.logger = logger
        self.wallClock = wallClock
    }

    private func openPool() async throws -> DatabasePool {
        if let pool { return pool }
        let (pool, pins) = try await StateDatabase.file(in: folder)
            .open(logger: logger, at: wallClock(), read: StateDatabase.readPins)
        entries = pins
        self.pool = pool
        return pool
    }

    func entry(_ key: String) -> CacheEntry? { entries[key] }

    /// Pins a value under a key in place of what was pinned there; returns after the commit.
    ///
    /// - Throws: `StorageError`; then nothing has changed.
    func pin(_ value: [UInt8], under key: String, by holder: String) async throws {
        let entry = CacheEntry(key: key, value: value, storedAt: wallClock(), freshUntil: .max, fetchedBy: holder)
        try await writing { db in try StateDatabase.write(entry, db) }
        entries[key] = entry
    }

    /// - Returns: whether it was pinned.
    func unpin(_ key: String) async throws -> Bool {
        try await writing { db in try db.execute(sql: "DELETE FROM pin WHERE key = ?", arguments: [key]) }
        return entries.removeValue(forKey: key) != nil
    }

    private func writing(_ change: @escaping @Sendable (Database) throws -> Void) async throws {
        do {
            try await openPool().write(change)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw StorageError(error, path: StateDatabase.file(in: folder).path)
        }
    }

    public func close() async {
        do {
            try await blockingCall { [pool] in try pool?.close() }
        } catch {
            logger.error("the state database did not close", metadata: ["state.reason": "\(error)"])
        }
    }
}
