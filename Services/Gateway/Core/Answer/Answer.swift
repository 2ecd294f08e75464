import FlatJSON
import ProcessKit
import TerminalText

/// The output of a command and its exit status.
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

    /// The JSON object with one more member; any other output unchanged.
    func with(member name: StaticString, _ json: [UInt8]) -> Answer {
        // Excludes the object's last brace and the line end.
        guard output.suffix(2) == Array("}\n".utf8) else { return self }
        var answer = self
        answer.output.removeLast(2)
        answer.output += Array(",\"\(name)\":".utf8) + json + Array("}\n".utf8)
        return answer
    }

    /// All output has been printed already.
    public static let nothing = Answer(notes: [], exitStatus: 0)

    /// Nothing on stdout.
    init(notes: [String], exitStatus: Int32) {
        self.notes = notes
        self.exitStatus = exitStatus
    }
}

extension Answer {
    /// Prints the answer to stdout and the notes to stderr.
    public func print() throws {
        // A closed stdout is a silent success: its reader has ended.
        if !output.isEmpty { _ = try LineOutput.write(output, toStandardError: false) }
        // A closed stderr drops the notes: the exit status is the answer's.
        for note in notes { LineOutput.note("\(note)\n") }
    }
}

extension Answer {
    /// The same with notes that are broken at blanks where they exceed a terminal.
    ///
    /// - Parameter columns: of the terminal; nil for none.
    func wrappingNotes(columns: Int?) -> Answer {
        var answer = self
        answer.notes = Self.wrapped(
            notes.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) },
            columns: columns)
        return answer
    }

    /// Lines that are broken at blanks; a continued line is indented below its beginning.
    static func wrapped(_ lines: [String], columns: Int?) -> [String] {
        lines.flatMap { TextWidth.narrow.wrapIndented($0, columns: columns) }
    }
}

extension Answer {
    /// The same output with escaped control characters: values that other programs encoded may contain some.
    func withoutControls() -> Answer {
        var answer = self
        answer.output = JSONControls.escape(output)
        return answer
    }
}
