/// What a command prints, and how it ends.
public struct Answer: Sendable {
    public var output: [UInt8] = []
    /// Lines for stderr.
    public var notes: [String] = []
    public var exitStatus: Int32 = 0

    init(output: [UInt8], notes: [String] = [], exitStatus: Int32 = 0) {
        self.output = output + Array("\n".utf8)
        self.notes = notes
        self.exitStatus = exitStatus
    }

    init(lines: [String], notes: [String] = [], exitStatus: Int32 = 0) {
        self.init(output: Array(lines.joined(separator: "\n").utf8), notes: notes, exitStatus: exitStatus)
    }

    /// Nothing on stdout.
    init(notes: [String], exitStatus: Int32) {
        self.notes = notes
        self.exitStatus = exitStatus
    }
}
