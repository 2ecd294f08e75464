import CacheStoreMachines
import GRDB
public import Logging
import ProcessKit

/// The only connection to `state.sqlite`, shared by counts and pins; opened on demand.
public actor StateConnection {
    /// What the file held when it was opened.
    struct Contents: Sendable {
        let balances: [QuotaAccount: QuotaBalance]
        let pins: [String: CacheEntry]
        /// See `StateDatabase.readVersion`.
        let version: Int?
        /// The number of damaged rows, which were removed.
        let damaged: Int
    }

    private let file: DatabaseFile
    private let logger: Logger
    private let wallClock: @Sendable () -> Int64
    private var opened: Task<(pool: DatabasePool, value: Contents, aside: String?), any Error>?
    /// The new path of an unusable database that was moved aside.
    private(set) var setAside: String?
    /// The number of damaged rows since the process started.
    private(set) var damaged = 0

    /// - Parameters:
    ///   - folder: the folder of the file; both are created when they are missing.
    ///   - wallClock: milliseconds since 1970, for the name of a file that is moved aside.
    public init(folder: String, logger: Logger, wallClock: @escaping @Sendable () -> Int64) {
        file = StateDatabase.file(in: folder)
        self.logger = logger
        self.wallClock = wallClock
    }

    /// The open database; after a failure the next call retries.
    ///
    /// - Throws: `StorageError`.
    func open() async throws -> (pool: DatabasePool, contents: Contents) {
        // An unstructured task: concurrent calls share one opening, so the cancellation of one must not cancel it.
        let opening =
            opened
            ?? Task { [file, logger, wallClock] in
                try await file.open(logger: logger, at: wallClock()) { db in
                    let removed = try StateDatabase.removeDamaged(db)
                    return try Contents(
                        balances: StateDatabase.readBalances(db), pins: StateDatabase.readPins(db),
                        version: StateDatabase.readVersion(db), damaged: removed.balances + removed.pins)
                }
            }
        let isFirst = opened == nil
        opened = opening
        do {
            let (pool, contents, aside) = try await opening.value
            if isFirst { note(contents, aside) }
            return (pool, contents)
        } catch {
            // Unless another call is retrying already.
            if opened == opening { opened = nil }
            throw error
        }
    }

    private func note(_ contents: Contents, _ aside: String?) {
        setAside = aside ?? setAside
        damaged += contents.damaged
        guard contents.damaged > 0 else { return }
        logger.error(
            "rows of the state database were damaged and were removed: pins or counts of calls are lost",
            metadata: ["state.damaged": "\(contents.damaged)"])
    }

    /// - Throws: `StorageError`, also when the database cannot be opened.
    func write<Result: Sendable>(_ change: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
        let pool = try await open().pool
        do {
            return try await pool.write(change)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw StorageError(error, path: file.path)
        }
    }

    public func close() async {
        guard let opening = opened else { return }
        opened = nil
        do {
            let pool = try await opening.value.pool
            try await runBlocking { try pool.close() }
        } catch {
            logger.error("the state database did not close", metadata: ["state.reason": "\(error)"])
        }
    }
}
