public import Domain

/// What an account has used of a day.
public struct QuotaBalance: Hashable, Sendable {
    /// In Seoul time, by which both upstreams count days.
    public var day: Day
    /// Calls since midnight; above the limit only by calls that were made while the store was unavailable.
    public var used: Int
    /// Calls per day, as stated by the latest caller.
    public var limit: Int
    /// Unix time in seconds at which the upstream reported that the day's calls are used up.
    public var exhaustedAt: Double?
    /// Unix time in seconds of the call that probes whether that still holds.
    public var probedAt: Double?

    public init(day: Day, used: Int = 0, limit: Int, exhaustedAt: Double? = nil, probedAt: Double? = nil) {
        self.day = day
        self.used = used
        self.limit = limit
        self.exhaustedAt = exhaustedAt
        self.probedAt = probedAt
    }

    /// Whether all of its numbers are plausible: a day from 2000 to 2200, and counts within the bounds of
    /// `QuotaStateMachine.take`.
    public var isPossible: Bool {
        (10_957...84_006).contains(day.daysSinceEpoch) && (0...QuotaStateMachine.maxUsed).contains(used)
            && (1...1_000_000_000).contains(limit) && exhaustedAt?.isFinite ?? true && probedAt?.isFinite ?? true
    }

    /// The balance without a refusal or probe later than `latest`, which was recorded by a clock that was ahead.
    func withoutFuture(at latest: Double) -> QuotaBalance {
        var balance = self
        balance.exhaustedAt = exhaustedAt.flatMap { $0 <= latest ? $0 : nil }
        balance.probedAt = probedAt.flatMap { $0 <= latest ? $0 : nil }
        return balance
    }

    /// The balance as it is written: some calls are counted before they are taken, so that few takes wait for the disk.
    ///
    /// A crash loses them: a hundredth of the day's calls at most.
    public var countedAhead: QuotaBalance {
        var balance = self
        balance.used = max(used, min(used + margin, limit))
        return balance
    }

    private var margin: Int { min(limit / 100, 32) }

    /// Whether this balance, read after a crash, would count every call of `current` and know of its refusals.
    public func includes(_ current: QuotaBalance) -> Bool {
        day == current.day && used >= current.used && exhaustedAt == current.exhaustedAt
            && probedAt == current.probedAt
    }

    /// Whether most of the calls that this balance counts ahead of `current` are taken, and more can be counted.
    public func isNearlyReached(by current: QuotaBalance) -> Bool {
        used - current.used < current.margin / 2 && used < current.countedAhead.used
    }

    /// Calls that may still be made; none while the upstream refuses.
    public var left: Int { exhaustedAt == nil ? max(0, limit - used) : 0 }

    /// When the count restarts: Unix time in seconds of the midnight in Seoul after the day.
    public var resetsAt: Double { Double(day.advanced(by: 1).daysSinceEpoch) * 86_400 - 9 * 3600 }
}
