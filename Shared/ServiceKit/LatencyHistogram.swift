internal import Histogram
public import MessageBus
internal import ProcessKit

/// Durations from 1 µs to a minute, counted so that percentiles can be told: recording takes nanoseconds and allocates
/// nothing.
///
/// Two significant digits take 20 KiB however much is recorded; a third would take 140.
public struct LatencyHistogram: Sendable {
    /// No request lives longer (the gateway's longest deadline); what took longer all the same counts as this.
    private static let longest: UInt64 = 60_000_000

    // 64-bit counts: at 100,000 answers a second 32 bits would be full within half a day.
    private var histogram = Histogram<UInt64>(
        lowestDiscernibleValue: 1, highestTrackableValue: Self.longest, numberOfSignificantValueDigits: .two)

    public init() {}

    public mutating func record(_ duration: Duration) {
        histogram.record(min(UInt64(clamping: duration.wholeMicroseconds), Self.longest))
    }

    /// So many per cent of all took at most this long; nil while nothing has been recorded.
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
