extension Answer {
    /// The same JSON with those controls escaped that JSON lets through and a terminal obeys: DEL, and those of two bytes
    /// (U+0080 to U+009F), of which one begins what an escape begins.
    func withoutControls() -> Answer {
        // Nothing to do for almost all: they stand in no title.
        guard output.contains(0x7F) || output.contains(0xC2) else { return self }
        var answer = self
        answer.output.removeAll(keepingCapacity: true)
        var index = output.startIndex
        while index < output.endIndex {
            let byte = output[index]
            let next = index + 1 < output.endIndex ? output[index + 1] : 0
            if byte == 0x7F {
                answer.output += Array("\\u007f".utf8)
            } else if byte == 0xC2, 0x80...0x9F ~= next {
                answer.output += Array("\\u00\(String(next, radix: 16))".utf8)
                index += 1
            } else {
                answer.output.append(byte)
            }
            index += 1
        }
        return answer
    }
}
