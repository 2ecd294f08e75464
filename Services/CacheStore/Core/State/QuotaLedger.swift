import BoxOffice
import CacheStoreMachines
public import Logging

/// The quota machine with its file: a call is granted only after it is on disk that it counts.
///
/// Takes that arrive while a commit is under way share the next one. When the disk fails, it goes on counting in memory
/// and says so: a count that may be lost is better than no answer.
public actor QuotaLedger {
    private let state: StateConnection
    private let logger: Logger
    private var machine = QuotaStateMachine()
    private var isRestored = false
    private var changed: Set<QuotaAccount> = []
    /// Counts the changes; all up to `written` are on disk, or never will be.
    private var changes = 0
    private var written = 0
    private var isWriting = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Why what is counted is forgotten with the process; nil while it is not.
    private(set) var failure: String?

    /// While the file cannot be opened, each commit tries again.
    public static func open(_ state: StateConnection, logger: Logger) async throws -> QuotaLedger {
        let ledger = QuotaLedger(state: state, logger: logger)
        do {
            try await ledger.restore()
        } catch let error as StorageError where !error.needsOperator {
            await ledger.fails(error)
        }
        return ledger
    }

    private init(state: StateConnection, logger: Logger) {
        self.state = state
        self.logger = logger
    }

    private func restore() async throws {
        guard !isRestored else { return }
        let balances = try await state.open().contents.balances
        guard !isRestored else { return }
        machine.restore(balances)
        changed.formUnion(balances.keys)
        isRestored = true
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
            try await restore()
            through = changes
            let balances = machine.balances.filter { changed.contains($0.key) }
            changed = []
            do {
                // A task of its own: the write is for all who wait, whoever of them is cancelled.
                try await Task { [state] in try await state.write { db in try StateDatabase.write(balances, db) } }
                    .value
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
