import HTTPKit

/// The upstream calls that visitors may cause, in all and each address: buckets that fill evenly over the day.
///
/// A pure value. A request reserves the calls that it may cause, and gives back what it did not use; one that needed more
/// is charged for them afterwards.
struct CallBudget: Sendable {
    private struct Bucket {
        var calls: Double
        var filledAt: Duration
    }

    /// A bucket holds this share of a day's calls, or at least those of one chart, and an address has this share of all.
    private static let share = 5
    private static let day = Duration.seconds(86_400)
    /// Beyond this number, addresses that are not known yet share one bucket.
    private static let maxAddresses = 4096

    private let callsPerDay: Int
    /// What every bucket holds at least.
    private let least: Int
    private var all: Bucket
    private var addresses: [ClientAddress: Bucket] = [:]
    private var others: Bucket

    /// - Parameter callsPerDay: 0 to 10⁹.
    init(callsPerDay: Int) {
        self.callsPerDay = callsPerDay
        let least = min(callsPerDay, VisitorQueries.Cost.chartWithFilms)
        self.least = least
        all = Bucket(calls: Self.capacity(perDay: callsPerDay, least), filledAt: .zero)
        others = Bucket(calls: Self.capacity(perDay: callsPerDay / Self.share, least), filledAt: .zero)
    }

    private static func capacity(perDay: Int, _ least: Int) -> Double { Double(max(perDay / share, least)) }

    /// - Parameters:
    ///   - address: nil for a client without a limit of its own.
    ///   - now: the time since the process started.
    /// - Returns: nil when the calls are reserved; else the time until they can be.
    mutating func reserve(_ calls: Int, for address: ClientAddress?, now: Duration) -> Duration? {
        fill(address, now: now)
        let waits = [
            wait(for: calls, in: all, perDay: callsPerDay),
            address.map { wait(for: calls, in: bucket($0), perDay: callsPerDay / Self.share) } ?? nil,
        ].compactMap(\.self)
        guard waits.isEmpty else { return waits.max() }
        change(address) { $0.calls -= Double(calls) }
        return nil
    }

    /// Reserves calls for what a page can do without: only those that leave enough for a chart with its films.
    ///
    /// - Returns: how many, at most `calls`.
    mutating func reserveSpare(upTo calls: Int, for address: ClientAddress?, now: Duration) -> Int {
        fill(address, now: now)
        let left = min(all.calls, address.map { bucket($0).calls } ?? all.calls) - Double(least)
        let spare = min(calls, max(0, Int(left)))
        change(address) { $0.calls -= Double(spare) }
        return spare
    }

    /// Calls that were reserved and not used; negative for those beyond the reservation.
    mutating func refund(_ calls: Int, to address: ClientAddress?) {
        change(address) { $0.calls += Double(calls) }
    }

    private func wait(for calls: Int, in bucket: Bucket, perDay: Int) -> Duration? {
        let missing = Double(calls) - bucket.calls
        guard missing > 0 else { return nil }
        return perDay == 0 ? Self.day : min(Self.day, Self.day * (missing / Double(perDay)))
    }

    private func bucket(_ address: ClientAddress) -> Bucket { addresses[address] ?? others }

    private mutating func change(_ address: ClientAddress?, _ change: (inout Bucket) -> Void) {
        change(&all)
        guard let address else { return }
        guard var own = addresses[address] else { return change(&others) }
        change(&own)
        addresses[address] = own
    }

    private mutating func fill(_ address: ClientAddress?, now: Duration) {
        Self.fill(&all, perDay: callsPerDay, least, now: now)
        guard let address else { return }
        let own = callsPerDay / Self.share
        Self.fill(&others, perDay: own, least, now: now)
        if addresses[address] == nil {
            if addresses.count >= Self.maxAddresses { forgetFull(perDay: own, now: now) }
            guard addresses.count < Self.maxAddresses else { return }
        }
        var bucket = addresses[address] ?? Bucket(calls: Self.capacity(perDay: own, least), filledAt: now)
        Self.fill(&bucket, perDay: own, least, now: now)
        addresses[address] = bucket
    }

    private static func fill(_ bucket: inout Bucket, perDay: Int, _ least: Int, now: Duration) {
        let more = Double(perDay) * ((now - bucket.filledAt) / day)
        bucket.calls = min(capacity(perDay: perDay, least), bucket.calls + max(0, more))
        bucket.filledAt = max(now, bucket.filledAt)
    }

    /// An address with a full bucket needs no memory.
    private mutating func forgetFull(perDay: Int, now: Duration) {
        addresses = addresses.filter { [least] _, bucket in
            var bucket = bucket
            Self.fill(&bucket, perDay: perDay, least, now: now)
            return bucket.calls < Self.capacity(perDay: perDay, least)
        }
    }
}
