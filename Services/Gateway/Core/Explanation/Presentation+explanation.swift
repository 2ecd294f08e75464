import Assembly
import TerminalText

extension Presentation {
    /// For stderr, which may be a file while stdout is a terminal; nothing for what asked nothing of films.
    func notes(_ explanation: QueryExplanation) -> [String] {
        explanation.steps.isEmpty
            ? [] : ExplanationText(language: language, style: .plain, width: width).lines(explanation)
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
