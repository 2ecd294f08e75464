import CacheStoreMachine
import Domain
public import Logging
import Storage

/// The quota machine with its file: a call is granted only after its count is on disk.
///
/// Most counts are on disk before their call, as `QuotaBalance.countedAhead`: a commit takes as long as a whole warm
/// answer and more. Takes that arrive during a commit share the next one. When the disk fails, the ledger continues in memory and
/// reports it: a count that may be lost is better than no answer.
public actor QuotaLedger {
    private let state: StateConnection
    private let logger: Logger
    private var machine = QuotaStateMachine()
    /// Of the file that was read; see `StateConnection.open`. 0 before the first.
    private var generation = 0
    private var retryPause = RetryPause()
    /// As this ledger has read or written them last.
    private var onDisk: [QuotaAccount: QuotaBalance] = [:]
    /// Of the file, at this ledger's last access; see `StateDatabase.readVersion`.
    private var version: Int?
    /// Another process has written since this ledger read the file, and relies on what is there.
    private var isShared = false
    private var changed: Set<QuotaAccount> = []
    /// Counts the changes; all up to `written` are on disk, or their write has failed.
    private var changes = 0
    private var written = 0
    private var isWriting = false
    private var isClosing = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Why the counts are in memory only; nil while they are on disk.
    private(set) var failure: String?

    /// While the file cannot be opened, each commit retries.
    public static func open(_ state: StateConnection, logger: Logger) async throws -> QuotaLedger {
        let ledger = QuotaLedger(state: state, logger: logger)
        do {
            try await ledger.restore()
        } catch let error as StorageError where !error.needsOperator {
            await ledger.recordFailure(error)
        }
        return ledger
    }

    private init(state: StateConnection, logger: Logger) {
        self.state = state
        self.logger = logger
    }

    private func restore() async throws {
        let (_, contents, generation) = try await state.open()
        guard generation != self.generation else { return }
        machine.restore(contents.balances, includesOwn: self.generation != 0)
        (onDisk, version, isShared) = (contents.balances, contents.version, false)
        changed.formUnion(machine.balances.keys.filter { machine.balances[$0] != contents.balances[$0] })
        self.generation = generation
    }

    /// Reads and writes the counts once the file can be opened, and again when another file has its place.
    func keepFile(at now: ContinuousClock.Instant) async {
        guard await !state.isInPlace(generation), !isClosing, retryPause.isOver(at: now) else { return }
        do {
            try await restore()
            retryPause.reset()
            if let account = changed.first { await commit(account) }
        } catch {
            recordFailure(error)
        }
    }

    /// Gives back the calls that were counted ahead, unless another process relies on them; no take may follow.
    func close() async {
        isClosing = true
        guard !isShared else { return }
        let ahead = machine.balances.filter { onDisk[$0.key] != $0.value }.map(\.key)
        changed.formUnion(ahead)
        if let account = ahead.first { await commit(account) }
    }

    /// - Parameters:
    ///   - reserve: calls that must be left after this one.
    ///   - uncounted: calls that were made while the store was unavailable.
    ///   - now: Unix time in seconds.
    func take(
        _ account: QuotaAccount, limit: Int, reserve: Int = 0, uncounted: Int, now: Double
    ) async -> (decision: QuotaStateMachine.Decision, balance: QuotaBalance) {
        let decision = machine.take(account, limit: limit, reserve: reserve, uncounted: uncounted, now: now)
        let balance = machine.balances[account] ?? QuotaBalance(day: .inSeoul(secondsSinceEpoch: now), limit: limit)
        guard let written = onDisk[account], written.includes(balance) else {
            await commit(account)
            return (decision, balance)
        }
        if written.isNearlyReached(by: balance), !isWriting, changed.insert(account).inserted {
            // Unstructured, because this take need not wait for the write.
            Task { if !isClosing { await commit(account) } }
        }
        return (decision, balance)
    }

    func markExhausted(_ account: QuotaAccount, limit: Int, now: Double) async {
        machine.exhausted(account, limit: limit, now: now)
        await commit(account)
    }

    /// By upstream, then by key.
    func balances(now: Double) -> [(account: QuotaAccount, balance: QuotaBalance)] {
        machine.balances(now: now).map { ($0.key, $0.value) }
            .sorted { ($0.0.upstream, $0.0.key) < ($1.0.upstream, $1.0.key) }
    }

    /// Returns when the account's change has been written, by this call or by an earlier one.
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
            let isFinal = isClosing && !isShared
            let balances = machine.balances.filter { changed.contains($0.key) }
                .mapValues { isFinal ? $0 : $0.countedAhead }
            changed = []
            do {
                // An unstructured task: the write serves all waiting calls, so the cancellation of one must not cancel
                // it.
                let current = try await Task { [state, version] in
                    try await state.write { db in
                        try StateDatabase.write(balances, since: version, isFinal: isFinal, db)
                    }
                }.value
                if current != version { isShared = true }
                version = current
                onDisk.merge(balances) { $1 }
            } catch {
                // The next write includes these balances.
                changed.formUnion(balances.keys)
                throw error
            }
            if failure != nil { logger.notice("calls are counted on disk again") }
            failure = nil
        } catch {
            recordFailure(error)
        }
        written = through
        isWriting = false
        let waiters = waiting
        waiting = []
        for waiter in waiters { waiter.resume() }
    }

    private func recordFailure(_ error: any Error) {
        // Logged only when the failures begin, not for every call.
        if failure == nil { logger.error("calls are counted in memory only", metadata: ["state.reason": "\(error)"]) }
        failure = "\(error)"
    }
}
