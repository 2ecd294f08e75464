/// Rate of events in the last ten complete seconds and the current one.
struct RateWindow: Sendable {
    private static let seconds: Int64 = 10

    /// Counts by second since 1970, only within the window.
    private var counts: [Int64: Int] = [:]

    mutating func add(at microseconds: Int64) {
        let second = microseconds / 1_000_000
        counts[second, default: 0] += 1
        if counts.count > 2 * Int(Self.seconds) {
            let newest = counts.keys.max() ?? second
            counts = counts.filter { $0.key >= newest - Self.seconds }
        }
    }

    /// - Parameter start: beginning of the count, less than ten seconds ago at first.
    func perSecond(at now: Int64, since start: Int64) -> Double {
        let first = max(now / 1_000_000 - Self.seconds, start / 1_000_000)
        let count = counts.filter { $0.key >= first }.values.reduce(0, +)
        let elapsed = Double(now - max(first * 1_000_000, start)) / 1_000_000
        return Double(count) / max(elapsed, 1)
    }
}
