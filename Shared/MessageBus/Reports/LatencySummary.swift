/// The latency of answers in whole microseconds; the percentiles are exact to within one per cent.
public struct LatencySummary: Codable, Sendable, Equatable {
    /// Measured answers.
    public let count: Int
    /// The median; null, like the other values, while nothing has been measured.
    public let p50Microseconds: Int?
    public let p95Microseconds: Int?
    public let p99Microseconds: Int?
    public let maxMicroseconds: Int?

    public init(
        count: Int, p50Microseconds: Int?, p95Microseconds: Int?, p99Microseconds: Int?, maxMicroseconds: Int?
    ) {
        self.count = count
        self.p50Microseconds = p50Microseconds
        self.p95Microseconds = p95Microseconds
        self.p99Microseconds = p99Microseconds
        self.maxMicroseconds = maxMicroseconds
    }

    /// Encodes every key; an unknown value is an explicit null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        try container.encode(p50Microseconds, forKey: .p50Microseconds)
        try container.encode(p95Microseconds, forKey: .p95Microseconds)
        try container.encode(p99Microseconds, forKey: .p99Microseconds)
        try container.encode(maxMicroseconds, forKey: .maxMicroseconds)
    }
}
