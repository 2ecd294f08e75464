public import BoxOffice

/// What an account has used of a day.
public struct QuotaBalance: Hashable, Sendable {
    /// In Seoul, where both upstreams begin their days.
    public var day: Day
    /// Calls since midnight; more than the limit only by calls that were made while nobody counted.
    public var used: Int
    /// Calls that a day has, as the last one to call has said.
    public var limit: Int
    /// Unix time in seconds at which the upstream itself said that the day's calls are used up.
    public var exhaustedAt: Double?
    /// Unix time in seconds of the call that found out whether that still holds.
    public var probedAt: Double?

    public init(day: Day, used: Int = 0, limit: Int, exhaustedAt: Double? = nil, probedAt: Double? = nil) {
        self.day = day
        self.used = used
        self.limit = limit
        self.exhaustedAt = exhaustedAt
        self.probedAt = probedAt
    }

    /// Whether all of its numbers can have been counted: from 2000 to 2200, within the bounds of `QuotaStateMachine.take`.
    public var isPossible: Bool {
        (10_957...84_006).contains(day.daysSinceEpoch) && (0...QuotaStateMachine.maxUsed).contains(used)
            && (1...1_000_000_000).contains(limit) && exhaustedAt?.isFinite ?? true && probedAt?.isFinite ?? true
    }

    /// Without a refusal or a probe of after that moment: it was noted under a clock that was ahead.
    func withoutFuture(at latest: Double) -> QuotaBalance {
        var balance = self
        balance.exhaustedAt = exhaustedAt.flatMap { $0 <= latest ? $0 : nil }
        balance.probedAt = probedAt.flatMap { $0 <= latest ? $0 : nil }
        return balance
    }

    /// Calls that may still be made; none while the upstream refuses.
    public var left: Int { exhaustedAt == nil ? max(0, limit - used) : 0 }

    /// When the count begins anew: Unix time in seconds of the midnight in Seoul after the day.
    public var resetsAt: Double { Double(day.advanced(by: 1).daysSinceEpoch) * 86_400 - 9 * 3600 }
}
