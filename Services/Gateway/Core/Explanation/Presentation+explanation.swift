import TerminalText

extension Presentation {
    func lines(_ explanation: QueryExplanation) -> [String] {
        ExplanationText(language: language, style: style, width: width, columns: columns).lines(explanation)
    }

    func explained(_ answer: Answer, _ explanation: QueryExplanation) -> Answer {
        var answer = answer
        switch format {
        case .text where answer.output.isEmpty, .records: answer.notes += lines(explanation)
        case .text: answer.output += Array(([""] + lines(explanation)).joined(separator: "\n").utf8) + Array("\n".utf8)
        case .json, .fields: return answer.with(member: "explain", explanation.json())
        }
        return answer
    }
}
