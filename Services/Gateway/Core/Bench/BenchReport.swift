import Domain
import ProcessKit
import ServiceKit

/// The figures of a benchmark, as `gateway bench --json` prints them.
struct BenchReport: Encodable {
    struct Latency: Encodable {
        let p50Microseconds: Int?
        let p90Microseconds: Int?
        let p99Microseconds: Int?
        let maxMicroseconds: Int?
    }

    let date: String
    let top: Int
    let askers: Int
    /// The requested queries per second; null when each task sends its next query right after an answer.
    let rate: Double?
    let isText: Bool
    let seconds: Double
    let answers: Int
    /// Queries that were due but could not start in time because all tasks were waiting; 0 without a rate.
    let notBegun: Int
    let answersPerSecond: Double
    let complete: Int
    let partial: Int
    let failures: [String: Int]
    let latency: Latency
    let cache: [String: Int]
    let bytesPerAnswer: Int
    /// User and system time of this process per answer.
    let cpuMicrosecondsPerAnswer: Int

    init(_ plan: BenchPlan, _ tally: BenchTally, took: Duration, cpu: Duration) {
        date = plan.date.iso
        top = plan.top
        askers = plan.askers
        rate = plan.rate
        isText = plan.isText
        seconds = Double(took.wholeMicroseconds) / 1_000_000
        answers = tally.answers
        notBegun = max(0, plan.questions - tally.answers)
        answersPerSecond = (Double(tally.answers) / max(seconds, 0.000_001) * 10).rounded() / 10
        complete = tally.complete
        partial = tally.partial
        failures = tally.failures
        let latencies = tally.latencies
        latency = Latency(
            p50Microseconds: latencies.microseconds(percentile: 50),
            p90Microseconds: latencies.microseconds(percentile: 90),
            p99Microseconds: latencies.microseconds(percentile: 99),
            maxMicroseconds: latencies.microseconds(percentile: 100))
        cache = tally.cache
        bytesPerAnswer = tally.bytes / max(1, tally.answers)
        cpuMicrosecondsPerAnswer = cpu.wholeMicroseconds / max(1, tally.answers)
    }

    private enum CodingKeys: CodingKey {
        case date, top, askers, rate, isText, seconds, answers, notBegun, answersPerSecond, complete, partial, failures,
            latency,
            cache, bytesPerAnswer, cpuMicrosecondsPerAnswer
    }

    /// Encodes every key; without a requested rate it is null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(date, forKey: .date)
        try container.encode(top, forKey: .top)
        try container.encode(askers, forKey: .askers)
        try container.encode(rate, forKey: .rate)
        try container.encode(isText, forKey: .isText)
        try container.encode(seconds, forKey: .seconds)
        try container.encode(answers, forKey: .answers)
        try container.encode(notBegun, forKey: .notBegun)
        try container.encode(answersPerSecond, forKey: .answersPerSecond)
        try container.encode(complete, forKey: .complete)
        try container.encode(partial, forKey: .partial)
        try container.encode(failures, forKey: .failures)
        try container.encode(latency, forKey: .latency)
        try container.encode(cache, forKey: .cache)
        try container.encode(bytesPerAnswer, forKey: .bytesPerAnswer)
        try container.encode(cpuMicrosecondsPerAnswer, forKey: .cpuMicrosecondsPerAnswer)
    }
}
