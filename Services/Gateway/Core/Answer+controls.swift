import FlatJSON

extension Answer {
    /// The same JSON without the controls that a terminal obeys: what others have encoded may still hold some.
    func withoutControls() -> Answer {
        var answer = self
        answer.output = JSONControls.escape(output)
        return answer
    }
}
