internal import BoxOffice

/// Counts the calls that each key has made of its upstream today, and lets none through beyond the limit.
///
/// A pure value: takes and time in, decisions out. A call counts when it is taken, before it is made: one that a crash
/// prevented counts as made. When an upstream says that the day is used up, that is believed until midnight in Seoul,
/// but for one call an hour that probes whether it still holds.
public struct QuotaStateMachine: Sendable {
    /// How long after a refusal of the upstream, and after each probe that confirms it, the next probe may go.
    public static let probePause = 3600.0
    /// How long a probe has to come back with the refusal; silence means that the upstream answers again.
    public static let probeTime = 15.0
    /// How far the clocks of a machine may step without a refusal being taken for one from the future.
    public static let clockTolerance = 5.0
    /// Beyond this, more calls are not counted.
    public static let maxUsed = 1_000_000_000_000

    public enum Decision: Hashable, Sendable {
        case granted
        case refused
    }

    public private(set) var balances: [QuotaAccount: QuotaBalance]

    /// - Parameter balances: what an earlier store has counted.
    public init(balances: [QuotaAccount: QuotaBalance] = [:]) {
        self.balances = balances
    }

    /// A call is about to be made.
    ///
    /// - Parameters:
    ///   - limit: calls that a day has, 1 to 10⁹.
    ///   - uncounted: calls that were made while nobody counted, and are counted now; 0 to 10⁶.
    ///   - now: Unix time in seconds. A clock that steps back over midnight does not give the day's calls again.
    public mutating func take(_ account: QuotaAccount, limit: Int, uncounted: Int = 0, now: Double) -> Decision {
        var balance = balance(of: account, limit: limit, now: now)
        defer { balances[account] = balance }
        balance.limit = limit
        balance.used = min(balance.used + uncounted, Self.maxUsed)
        if let probedAt = balance.probedAt, now >= probedAt + Self.probeTime {
            balance.exhaustedAt = nil
            balance.probedAt = nil
        }
        guard balance.used < limit else { return .refused }
        if let exhaustedAt = balance.exhaustedAt {
            guard balance.probedAt == nil, now >= exhaustedAt + Self.probePause else { return .refused }
            balance.probedAt = now
        }
        balance.used += 1
        return .granted
    }

    /// The upstream has refused a call because the day's are used up.
    public mutating func exhausted(_ account: QuotaAccount, limit: Int, now: Double) {
        var balance = balance(of: account, limit: limit, now: now)
        balance.exhaustedAt = now
        balance.probedAt = nil
        balances[account] = balance
    }

    /// What an earlier store has counted is known only now; calls of the same day add up.
    public mutating func restore(_ earlier: [QuotaAccount: QuotaBalance]) {
        balances.merge(earlier) { own, other in
            guard own.day == other.day else { return own.day > other.day ? own : other }
            var sum = own
            sum.used = min(own.used + other.used, Self.maxUsed)
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
        // A clock that was far ahead once must not take the calls of all the days until then.
        guard balance.day <= today.advanced(by: 1) else { return QuotaBalance(day: today, limit: limit) }
        return balance.withoutFuture(at: now + Self.clockTolerance)
    }
}
