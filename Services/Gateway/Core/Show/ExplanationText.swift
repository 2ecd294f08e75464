import Assembly
import Envelope
import EventLog
import Localization
import ProcessKit
import TerminalText
import Wording

/// A waterfall of a query: one line per step, with the critical path marked and summed.
struct ExplanationText {
    let language: Language
    let style: TextStyle
    var width = TextWidth.narrow
    /// Columns of the terminal; nil without a limit.
    var columns: Int?

    func lines(_ explanation: QueryExplanation) -> [String] {
        let steps = explanation.steps
        func figures(
            _ korean: String, _ english: String, priority: Int = TextColumn.required, _ value: (QueryStep) -> Duration?
        ) -> TextColumn {
            TextColumn(
                [head(korean, english)] + steps.map { TextPiece(value($0).map(milliseconds) ?? "") },
                alignment: .trailing, priority: priority)
        }
        func words(
            _ korean: String, _ english: String, priority: Int = TextColumn.required, _ value: (QueryStep) -> String
        ) -> TextColumn {
            TextColumn([head(korean, english)] + steps.map { TextPiece(value($0).printable) }, priority: priority)
        }
        let mark = TextColumn(
            [TextPiece("")]
                + steps.indices.map { TextPiece(explanation.critical.contains($0) ? "◀" : "", style: style.yellow) })
        let table = TextTable(
            [
                figures("시작", "start", priority: 3) { $0.start }, figures("소요", "duration") { $0.took }, mark,
                words("워커", "worker", priority: 3) { $0.instance ?? "-" }, words("요청", "request", \.what),
                words("캐시, 결과", "cache, outcome", priority: 2, wording.outcome),
                figures("대기", "queued", priority: 1) { $0.queued }, figures("처리", "work", priority: 1) { $0.work },
                figures("업스트림", "upstream", priority: 1) { $0.upstream },
            ], elastic: 4
        ).layout(limit: columns, width)
        // The marked durations are those that it adds up.
        return table.lines + ["◀ " + wording.sum(explanation, own: language("게이트웨이", "gateway"))]
    }

    private func head(_ korean: String, _ english: String) -> TextPiece {
        TextPiece(language(korean, english), style: style.dim)
    }

    private var wording: ExplanationWording { ExplanationWording(language: language) }
    private func milliseconds(_ duration: Duration) -> String { wording.milliseconds(duration) }
}

extension Presentation {
    /// For stderr, which may be a file while stdout is a terminal; empty when the command sent no film query.
    func notes(_ explanation: QueryExplanation) -> [String] {
        explanation.steps.isEmpty
            ? []
            : ExplanationText(language: language, style: .plain, width: width, columns: noteColumns).lines(explanation)
    }

    func explained(_ answer: Answer, _ explanation: QueryExplanation) -> Answer {
        var answer = answer
        switch format {
        case _ where answer.output.isEmpty, .records: answer.notes += notes(explanation)
        case .text:
            let text = ExplanationText(language: language, style: style, width: width, columns: columns)
            answer.output += Array(([""] + text.lines(explanation)).joined(separator: "\n").utf8) + Array("\n".utf8)
        case .json, .fields: return answer.with(member: "explain", explanation.json())
        }
        return answer
    }
}
