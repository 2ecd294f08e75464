import MessageBus
import ServiceKit
import Testing

@Suite struct LatencyHistogramTests {
    private func summary(_ durations: some Sequence<Duration>) -> LatencySummary {
        var histogram = LatencyHistogram()
        for duration in durations { histogram.record(duration) }
        return histogram.summary
    }

    @Test func `without a measurement there is no percentile`() {
        #expect(
            LatencyHistogram().summary
                == LatencySummary(
                    count: 0, p50Microseconds: nil, p95Microseconds: nil, p99Microseconds: nil, maxMicroseconds: nil))
    }

    @Test func `one measurement is every percentile`() {
        #expect(
            summary([.microseconds(417)])
                == LatencySummary(
                    count: 1, p50Microseconds: 417, p95Microseconds: 417, p99Microseconds: 417, maxMicroseconds: 417))
    }

    @Test func `up to 255 µs percentiles are exact`() {
        let summary = summary((1...100).map { .microseconds($0) })
        #expect(summary.count == 100)
        #expect(summary.p50Microseconds == 50)
        #expect(summary.p95Microseconds == 95)
        #expect(summary.p99Microseconds == 99)
        #expect(summary.maxMicroseconds == 100)
    }

    @Test(arguments: [256, 1000, 99_999, 1_234_567, 59_999_999])
    func `above that they are within one per cent, and the longest is exact`(microseconds: Int) throws {
        let summary = summary(
            Array(repeating: .microseconds(microseconds), count: 3) + [.microseconds(microseconds * 2)])
        let p50 = try #require(summary.p50Microseconds)
        #expect(p50 >= microseconds && p50 - microseconds <= microseconds / 100)
        #expect(summary.maxMicroseconds == min(microseconds * 2, 60_000_000))
    }

    @Test func `a few slow values affect only the last percentile`() {
        let summary = summary(
            Array(repeating: .microseconds(100), count: 985) + Array(repeating: .seconds(4), count: 15))
        #expect(summary.p50Microseconds == 100)
        #expect(summary.p95Microseconds == 100)
        #expect(summary.p99Microseconds == 4_000_000)
    }

    @Test(
        arguments: [
            (.zero, 0), (.nanoseconds(999), 0), (.seconds(-1), 0), (.seconds(60), 60_000_000),
            (.seconds(3600), 60_000_000), (.seconds(Int64.max / 1_000_000), 60_000_000),
        ] as [(Duration, Int)])
    func `a duration out of range counts as the nearest in it`(duration: Duration, microseconds: Int) {
        let summary = summary([duration])
        #expect(summary.count == 1)
        #expect(summary.maxMicroseconds == microseconds)
    }
}
