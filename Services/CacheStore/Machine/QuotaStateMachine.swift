internal import Domain

/// Counts the calls that each key has made to its upstream today, and refuses calls beyond the limit.
///
/// A pure value: takes and time in, decisions out. A call is counted when it is taken, before it is made: one that a
/// crash prevents is counted, too, and so are the few that are counted ahead (`QuotaBalance.countedAhead`). When an upstream reports that the day's calls are used up, calls are refused until
/// midnight in Seoul, except one call an hour that probes whether the report still holds.
public struct QuotaStateMachine: Sendable {
    /// The time after a refusal by the upstream, or a probe that confirms it, until the next probe.
    public static let probePause = 3600.0
    /// The time within which a probe must report the refusal; otherwise the upstream counts as available again.
    public static let probeTime = 15.0
    /// The step of a machine's clock up to which a refusal does not count as one from the future.
    public static let clockTolerance = 5.0
    /// Calls beyond this are not counted.
    public static let maxUsed = 1_000_000_000_000

    public enum Decision: Hashable, Sendable {
        case granted
        case refused
        /// Calls are left, but this one would reach into the reserve.
        case reserved
    }

    public private(set) var balances: [QuotaAccount: QuotaBalance]

    /// - Parameter balances: what an earlier store has counted.
    public init(balances: [QuotaAccount: QuotaBalance] = [:]) {
        self.balances = balances
    }

    /// A call is about to be made.
    ///
    /// - Parameters:
    ///   - limit: calls per day, 1 to 10⁹.
    ///   - reserve: calls that must be left after this one.
    ///   - uncounted: calls that were made while the store was unavailable, and are counted now; 0 to 10⁶.
    ///   - now: Unix time in seconds. A clock that steps back over midnight does not reset the day's count.
    public mutating func take(
        _ account: QuotaAccount, limit: Int, reserve: Int = 0, uncounted: Int = 0, now: Double
    ) -> Decision {
        var balance = balance(of: account, limit: limit, now: now)
        defer { balances[account] = balance }
        balance.limit = limit
        balance.used = min(balance.used + uncounted, Self.maxUsed)
        if let probedAt = balance.probedAt, now >= probedAt + Self.probeTime {
            balance.exhaustedAt = nil
            balance.probedAt = nil
        }
        guard balance.used < limit else { return .refused }
        guard balance.used < limit - reserve else { return .reserved }
        if let exhaustedAt = balance.exhaustedAt {
            guard balance.probedAt == nil, now >= exhaustedAt + Self.probePause else { return .refused }
            balance.probedAt = now
        }
        balance.used += 1
        return .granted
    }

    /// The upstream has refused a call because the day's calls are used up.
    public mutating func exhausted(_ account: QuotaAccount, limit: Int, now: Double) {
        var balance = balance(of: account, limit: limit, now: now)
        balance.exhaustedAt = now
        balance.probedAt = nil
        balances[account] = balance
    }

    /// Merges what an earlier store has counted.
    ///
    /// - Parameter includesOwn: whether it may contain the calls of this machine; else calls of the same day are added.
    public mutating func restore(_ earlier: [QuotaAccount: QuotaBalance], includesOwn: Bool = false) {
        balances.merge(earlier) { own, other in
            guard own.day == other.day else { return own.day > other.day ? own : other }
            var sum = own
            sum.used = includesOwn ? max(own.used, other.used) : min(own.used + other.used, Self.maxUsed)
            sum.exhaustedAt = own.exhaustedAt ?? other.exhaustedAt
            sum.probedAt = own.probedAt ?? other.probedAt
            return sum
        }
    }

    /// What every account has used today.
    public func balances(now: Double) -> [QuotaAccount: QuotaBalance] {
        Dictionary(
            uniqueKeysWithValues: balances.map { ($0.key, balance(of: $0.key, limit: $0.value.limit, now: now)) })
    }

    private func balance(of account: QuotaAccount, limit: Int, now: Double) -> QuotaBalance {
        let today = Day.inSeoul(secondsSinceEpoch: now)
        guard let balance = balances[account], balance.day >= today else {
            return QuotaBalance(day: today, limit: limit)
        }
        // A clock that was once far ahead must not block the account until that day.
        guard balance.day <= today.advanced(by: 1) else { return QuotaBalance(day: today, limit: limit) }
        return balance.withoutFuture(at: now + Self.clockTolerance)
    }
}
