import ProcessKit

extension Answer {
    /// The answer to stdout, everything else to stderr.
    public func print() throws {
        // A closed pipe is silent success: whoever read has seen enough.
        _ = try LineOutput.write(output, toStandardError: false)
        // Whoever takes no notes gets none: the exit status is the answer's.
        for note in notes { _ = try? LineOutput.write(Array("\(note)\n".utf8), toStandardError: true) }
    }
}
