/// What a command prints, and how it ends.
public struct Answer: Sendable {
    public var output: [UInt8] = []
    /// Lines for stderr.
    public var notes: [String] = []
    public var exitStatus: Int32 = 0

    init(output: consuming [UInt8], notes: [String] = [], exitStatus: Int32 = 0) {
        output.append(UInt8(ascii: "\n"))
        self.output = output
        self.notes = notes
        self.exitStatus = exitStatus
    }

    init(lines: [String], notes: [String] = [], exitStatus: Int32 = 0) {
        self.init(output: Array(lines.joined(separator: "\n").utf8), notes: notes, exitStatus: exitStatus)
    }

    /// The JSON object with one member more; anything else as it is.
    func with(member name: StaticString, _ json: [UInt8]) -> Answer {
        // The object's last brace and the end of its line.
        guard output.suffix(2) == Array("}\n".utf8) else { return self }
        var answer = self
        answer.output.removeLast(2)
        answer.output += Array(",\"\(name)\":".utf8) + json + Array("}\n".utf8)
        return answer
    }

    /// All has been printed already.
    public static let nothing = Answer(notes: [], exitStatus: 0)

    /// Nothing on stdout.
    init(notes: [String], exitStatus: Int32) {
        self.notes = notes
        self.exitStatus = exitStatus
    }
}
