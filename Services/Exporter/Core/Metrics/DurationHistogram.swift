/// Counts durations in the buckets of a Prometheus histogram.
struct DurationHistogram: Equatable {
    /// Upper bounds in seconds: a warm answer takes half a millisecond, a deadline is a minute at most.
    static let bounds = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    private var counts = [Int](repeating: 0, count: bounds.count + 1)
    private var sum = 0.0

    mutating func record(microseconds: Int) {
        let seconds = Double(microseconds) / 1_000_000
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }

    /// Adds the samples of this histogram, whose buckets are cumulative, to a family.
    func add(to family: inout MetricFamily, _ labels: KeyValuePairs<String, String>) {
        var total = 0
        for (bound, count) in zip(Self.bounds + [.infinity], counts) {
            total += count
            family.addBucket(Double(total), upTo: bound, labels)
        }
        family.add(sum, labels, suffix: "_sum")
        family.add(Double(total), labels, suffix: "_count")
    }
}
