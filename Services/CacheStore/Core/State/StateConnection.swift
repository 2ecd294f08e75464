import CacheStoreMachine
import GRDB
public import Logging
import ProcessKit
public import Storage

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
    private var opened: (task: Task<DatabaseFile.Opened<Contents>, any Error>, generation: Int)?
    /// Which file is open, once it is.
    private var identity: FileIdentity?
    /// Counts the openings of files: another one may lack what was written before.
    private var openings = 0
    /// Of the file that is open.
    private var generation = 0
    /// The new path of an unusable database that was moved aside.
    private(set) var setAside: String?
    /// The path of a database that was deleted or replaced while it was open.
    private(set) var deleted: String?
    /// The number of damaged rows since the process started.
    private(set) var damaged = 0

    /// - Parameters:
    ///   - folder: the folder of the file; both are created when they are missing.
    ///   - lock: of the folder.
    ///   - wallClock: milliseconds since 1970, for the name of a file that is moved aside.
    public init(
        folder: String, lock: DataFolder? = nil, logger: Logger, wallClock: @escaping @Sendable () -> Int64
    ) {
        var file = StateDatabase.file(in: folder)
        file.lock = lock
        self.file = file
        self.logger = logger
        self.wallClock = wallClock
    }

    /// The open database; after a failure, and after its file was deleted or replaced, a new one.
    ///
    /// - Returns: its contents when it was opened, and its number among the files opened.
    /// - Throws: `StorageError`.
    func open() async throws -> (pool: DatabasePool, contents: Contents, generation: Int) {
        await closeDeleted()
        let opening = opened ?? startOpening()
        do {
            let database = try await opening.task.value
            // The first of the waiting calls, unless the file was closed meanwhile.
            if opened?.generation == opening.generation, generation != opening.generation {
                (identity, generation) = (database.identity, opening.generation)
                note(database.value, database.aside)
            }
            return (database.pool, database.value, opening.generation)
        } catch {
            // Unless another call is retrying already.
            if opened?.generation == opening.generation { opened = nil }
            throw error
        }
    }

    private func startOpening() -> (task: Task<DatabaseFile.Opened<Contents>, any Error>, generation: Int) {
        openings += 1
        // An unstructured task: concurrent calls share one opening, so the cancellation of one must not cancel it.
        let task = Task { [file, logger, wallClock] in
            try await file.open(logger: logger, at: wallClock()) { db in
                let removed = try StateDatabase.removeDamaged(db)
                return try Contents(
                    balances: StateDatabase.readBalances(db), pins: StateDatabase.readPins(db),
                    version: StateDatabase.readVersion(db), damaged: removed.balances + removed.pins)
            }
        }
        opened = (task, openings)
        return (task, openings)
    }

    /// Whether the file of this generation is open, and in its place.
    func isInPlace(_ generation: Int) -> Bool {
        generation == self.generation && identity != nil && file.isInPlace(identity)
    }

    private func closeDeleted() async {
        guard opened?.generation == generation, !file.isInPlace(identity) else { return }
        identity = nil
        deleted = file.path
        logger.error(
            "the state database was deleted or replaced while in use; pins and counts of calls are written again",
            metadata: ["state.path": "\(file.path)"])
        await close()
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
            let pool = try await opening.task.value.pool
            try await runBlocking { try pool.close() }
        } catch {
            logger.error("the state database did not close", metadata: ["state.reason": "\(error)"])
        }
    }
}
