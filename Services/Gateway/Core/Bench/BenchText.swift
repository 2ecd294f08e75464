import Localization
import ProcessKit
import TerminalText

/// The figures of a benchmark as a few lines of text.
struct BenchText {
    let language: Language
    /// Columns of the terminal; nil without a limit.
    var columns: Int?

    func lines(_ report: BenchReport) -> [String] {
        let form = report.isText ? language("글", "text") : "JSON"
        let pace =
            report.rate.map { language("초당 \($0)번", "\($0) a second") }
            ?? language("동시 요청 \(report.askers)", "concurrency \(report.askers)")
        let rows = [
            (language("질의", "query"), "show \(report.date) --top \(report.top), \(form), \(pace)"),
            (
                language("응답", "responses"),
                "\(report.answers.withSeparators)  \(Int(report.answersPerSecond).withSeparators)/s  "
                    + list(
                        [
                            (language("완전", "complete"), report.complete), (language("부분", "partial"), report.partial),
                        ] + (report.notBegun > 0 ? [(language("시작 못 함", "not begun"), report.notBegun)] : [])
                            + sorted(report.failures))
            ),
            (language("시간", "took"), latency(report.latency)),
            (language("캐시", "cache"), list(sorted(report.cache))),
            (
                language("비용", "cost"),
                language(
                    "응답당 CPU \(report.cpuMicrosecondsPerAnswer.withSeparators) µs, \(report.bytesPerAnswer.withSeparators) B",
                    "\(report.cpuMicrosecondsPerAnswer.withSeparators) µs of CPU and \(report.bytesPerAnswer.withSeparators) B per response"
                ),
            ),
        ]
        return TextTable.labelled(rows, columns: columns)
    }

    private func latency(_ latency: BenchReport.Latency) -> String {
        [
            ("p50", latency.p50Microseconds), ("p90", latency.p90Microseconds), ("p99", latency.p99Microseconds),
            ("max", latency.maxMicroseconds),
        ].map { "\($0) \($1.map(\.milliseconds) ?? "-")" }.joined(separator: "  ") + " ms"
    }

    private func sorted(_ counts: [String: Int]) -> [(String, Int)] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key.printable, $0.value) }
    }

    private func list(_ counts: [(String, Int)]) -> String {
        counts.map { "\($0) \($1.withSeparators)" }.joined(separator: ", ")
    }
}
