import Assembly
import Envelope
import ServiceKit

/// What came of the questions of a benchmark.
struct BenchTally: Sendable {
    private(set) var latencies = LatencyHistogram()
    private(set) var answers = 0
    private(set) var complete = 0
    private(set) var partial = 0
    /// By the code of the failure that was the whole answer.
    private(set) var failures: [String: Int] = [:]
    /// Parts by what the cache had to do with them, in words of RFC 9211.
    private(set) var cache: [String: Int] = [:]
    private(set) var bytes = 0
    /// Each different answer once, where they are kept.
    private(set) var kept: Set<[UInt8]> = []

    /// More are not kept: of a warm chart there are a few, as the ages of its parts grow.
    static let maxKept = 1000

    /// - Parameter output: what would have been printed.
    mutating func answered(_ assembly: ShowAssembly, output: [UInt8], isKept: Bool, after took: Duration) {
        ended(after: took)
        bytes += output.count
        if isKept, kept.count < Self.maxKept { kept.insert(output) }
        if let failure = assembly.chart.failure, assembly.chart.value == nil {
            failures[failure.code.rawValue, default: 0] += 1
        } else if assembly.isComplete {
            complete += 1
        } else {
            partial += 1
        }
        for part in assembly.parts { cache[part.cache?.summary ?? "none", default: 0] += 1 }
    }

    mutating func failed(_ failure: Failure, after took: Duration) {
        ended(after: took)
        failures[failure.code.rawValue, default: 0] += 1
    }

    private mutating func ended(after took: Duration) {
        answers += 1
        latencies.record(took)
    }
}
