public import Assembly
internal import Envelope
public import Localization
internal import ProcessKit

/// The words of a query's explanation: what each request had for an outcome, and where the time was spent.
public struct ExplanationWording: Sendable {
    private let language: Language

    public init(language: Language) {
        self.language = language
    }

    /// "hit", "fwd=miss; stored, 2 tries: 500, 200", "stale: timeout", "dispatched 2 times".
    public func outcome(_ step: QueryStep) -> String {
        var words = [step.cache].compactMap(\.self)
        if let status = step.status, status != "ok" { words.append(status) }
        if let code = step.code { words.append(code.rawValue) }
        if let calls = step.upstreamCalls, calls > 1 {
            let outcomes = step.upstreamOutcomes.map { ": \($0.joined(separator: ", "))" } ?? ""
            words.append(language("\(calls)번 시도", "\(calls) tries") + outcomes)
        } else if let outcome = step.upstreamOutcomes?.first {
            words.append(outcome)
        }
        if step.attempts > 1 { words.append(language("\(step.attempts)번 배정", "dispatched \(step.attempts) times")) }
        return words.joined(separator: ", ")
    }

    /// The whole time as the sum of the critical path: "total 5.2 ms = 1.0 + 4.0 + 0.2 (gateway)".
    ///
    /// - Parameter own: who spent the time beside the requests.
    public func sum(_ explanation: QueryExplanation, own: String) -> String {
        func tenths(_ duration: Duration) -> Int { (duration.wholeMicroseconds + 50) / 100 }
        // Differences of rounded sums add up; rounded steps may not.
        var (sum, shown) = (Duration.zero, 0)
        let parts = explanation.critical.map { place in
            sum += explanation.steps[place].took
            defer { shown = tenths(sum) }
            return ((tenths(sum) - shown) * 100).tenthsOfMilliseconds
        }
        let rest = "\(((tenths(explanation.wall) - shown) * 100).tenthsOfMilliseconds) (\(own))"
        let total = language("합계", "total")
        return "\(total) \(milliseconds(explanation.wall)) ms = \((parts + [rest]).joined(separator: " + "))"
    }

    /// With one decimal.
    public func milliseconds(_ duration: Duration) -> String { duration.wholeMicroseconds.tenthsOfMilliseconds }
}
