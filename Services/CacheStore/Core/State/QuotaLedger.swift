import BoxOffice
import CacheStoreMachines
import GRDB
public import Logging

/// The quota machine with its file: a call is granted only after it is on disk that it counts.
///
/// Takes that arrive while a commit is under way share the next one. When the disk fails, it goes on counting in memory
/// and says so: a count that may be lost is better than no answer.
public actor QuotaLedger {
    private let folder: String
    private let logger: Logger
    private let wallClock: @Sendable () -> Int64
    private var pool: DatabasePool?
    private var machine = QuotaStateMachine()
    private var changed: Set<QuotaAccount> = []
    /// Counts the changes; all up to `written` are on disk, or never will be.
    private var changes = 0
    private var written = 0
    private var isWriting = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Why what is counted is forgotten with the process; nil while it is not.
    private(set) var failure: String?

    /// Opens `state.sqlite` in the folder; while it cannot be opened, each commit tries again.
    ///
    /// - Parameter wallClock: milliseconds since 1970, for the name of a file that is moved aside.
    public static func open(
        folder: String, logger: Logger, wallClock: @escaping @Sendable () -> Int64
    ) async throws -> QuotaLedger {
        let ledger = QuotaLedger(folder: folder, logger: logger, wallClock: wallClock)
        do {
            _ = try await ledger.openPool()
        } catch let error as StorageError {
            await ledger.fails(error)
        }
        return ledger
    }

    private init(folder: String, logger: Logger, wallClock: @escaping @Sendable () -> Int64) {
        self.folder = folder
        self.logger = logger
        self.wallClock = wallClock
    }

    private func openPool() async throws -> DatabasePool {
        if let pool { return pool }
        let (pool, balances) = try await StateDatabase.file(in: folder)
            .open(logger: logger, at: wallClock(), read: StateDatabase.readBalances)
        machine.restore(balances)
        changed.formUnion(balances.keys)
        self.pool = pool
        return pool
    }

    /// - Parameters:
    ///   - uncounted: calls that were made while nobody counted.
    ///   - now: Unix time in seconds.
    func take(
        _ account: QuotaAccount, limit: Int, uncounted: Int, now: Double
    ) async -> (decision: QuotaStateMachine.Decision, balance: QuotaBalance) {
        let decision = machine.take(account, limit: limit, uncounted: uncounted, now: now)
        let balance = machine.balances[account] ?? QuotaBalance(day: .inSeoul(secondsSinceEpoch: now), limit: limit)
        await commit(account)
        return (decision, balance)
    }

    func exhausted(_ account: QuotaAccount, limit: Int, now: Double) async {
        machine.exhausted(account, limit: limit, now: now)
        await commit(account)
    }

    /// By upstream, then by key.
    func balances(now: Double) -> [(account: QuotaAccount, balance: QuotaBalance)] {
        machine.balances(now: now).map { ($0.key, $0.value) }
            .sorted { ($0.0.upstream, $0.0.key) < ($1.0.upstream, $1.0.key) }
    }

    public func close() async {
        do {
            try await blockingCall { [pool] in try pool?.close() }
        } catch {
            logger.error("the state database did not close", metadata: ["state.reason": "\(error)"])
        }
    }

    /// Returns when the account's change has been written, by this call or by one that was faster.
    private func commit(_ account: QuotaAccount) async {
        changes += 1
        changed.insert(account)
        let own = changes
        while written < own {
            if isWriting {
                await withCheckedContinuation { waiting.append($0) }
            } else {
                await write()
            }
        }
    }

    private func write() async {
        isWriting = true
        var through = changes
        do {
            let pool = try await openPool()
            through = changes
            let balances = machine.balances.filter { changed.contains($0.key) }
            changed = []
            do {
                // A task of its own: the write is for all who wait, whoever of them is cancelled.
                try await Task { try await pool.write { db in try StateDatabase.write(balances, db) } }.value
            } catch {
                // Whatever is written next includes it.
                changed.formUnion(balances.keys)
                throw error
            }
            if failure != nil { logger.notice("calls are counted on disk again") }
            failure = nil
        } catch {
            fails(error)
        }
        written = through
        isWriting = false
        let waiters = waiting
        waiting = []
        for waiter in waiters { waiter.resume() }
    }

    private func fails(_ error: any Error) {
        // Once for each time it begins: every call would say it.
        if failure == nil { logger.error("calls are counted in memory only", metadata: ["state.reason": "\(error)"]) }
        failure = "\(error)"
    }
}
