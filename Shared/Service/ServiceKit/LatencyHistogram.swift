internal import Histogram
public import MessageBus
internal import ProcessKit

/// A histogram of durations from 1 µs to a minute, for percentiles: recording takes nanoseconds and does not allocate.
///
/// Two significant digits take 20 KiB, independent of the number of values; a third digit would take 140 KiB.
public struct LatencyHistogram: Sendable {
    /// The longest deadline of the gateway; longer durations count as this value.
    private static let longest: UInt64 = 60_000_000

    // 64-bit counts: at 100,000 answers a second a 32-bit count would overflow within half a day.
    private var histogram = Histogram<UInt64>(
        lowestDiscernibleValue: 1, highestTrackableValue: Self.longest, numberOfSignificantValueDigits: .two)

    public init() {}

    public mutating func record(_ duration: Duration) {
        histogram.record(min(UInt64(clamping: duration.wholeMicroseconds), Self.longest))
    }

    /// The given percentile of the durations; nil while nothing has been recorded.
    public func microseconds(percentile: Double) -> Int? {
        histogram.totalCount == 0 ? nil : Int(clamping: histogram.valueAtPercentile(percentile))
    }

    public var summary: LatencySummary {
        LatencySummary(
            count: Int(clamping: histogram.totalCount), p50Microseconds: microseconds(percentile: 50),
            p95Microseconds: microseconds(percentile: 95), p99Microseconds: microseconds(percentile: 99),
            maxMicroseconds: microseconds(percentile: 100))
    }
}
