import Assembly
import Envelope
import ServiceKit

/// The outcomes of a benchmark's queries.
struct BenchTally: Sendable {
    private(set) var latencies = LatencyHistogram()
    private(set) var answers = 0
    private(set) var complete = 0
    private(set) var partial = 0
    /// By the code of the failure that replaced the whole answer.
    private(set) var failures: [String: Int] = [:]
    /// Parts by cache outcome, in the terms of RFC 9211.
    private(set) var cache: [String: Int] = [:]
    private(set) var bytes = 0
    /// Each distinct answer once, if answers are kept.
    private(set) var kept: Set<[UInt8]> = []

    /// The limit of kept answers. A warm chart has few distinct ones, which differ by the ages of parts.
    static let maxKept = 1000

    /// - Parameter output: the bytes that would have been printed.
    mutating func record(_ assembly: ShowAssembly, output: [UInt8], isKept: Bool, after took: Duration) {
        recordAnswer(output, isKept: isKept, after: took)
        if let failure = assembly.chart.failure, assembly.chart.value == nil {
            failures[failure.code.rawValue, default: 0] += 1
        } else if assembly.isComplete {
            complete += 1
        } else {
            partial += 1
        }
        for part in assembly.parts { cache[part.cache?.summary ?? "none", default: 0] += 1 }
    }

    /// An answer to another question.
    mutating func record(isComplete: Bool, output: [UInt8], isKept: Bool, after took: Duration) {
        recordAnswer(output, isKept: isKept, after: took)
        if isComplete { complete += 1 } else { partial += 1 }
    }

    private mutating func recordAnswer(_ output: [UInt8], isKept: Bool, after took: Duration) {
        recordLatency(took)
        bytes += output.count
        if isKept, kept.count < Self.maxKept { kept.insert(output) }
    }

    mutating func record(_ failure: Failure, after took: Duration) {
        recordLatency(took)
        failures[failure.code.rawValue, default: 0] += 1
    }

    private mutating func recordLatency(_ took: Duration) {
        answers += 1
        latencies.record(took)
    }
}
