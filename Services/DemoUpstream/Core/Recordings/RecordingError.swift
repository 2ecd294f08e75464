/// Why a folder of recordings cannot be loaded: the file, the reason, and the remedy.
///
/// A broken recording stops the start instead of being skipped: otherwise the generated world would silently answer
/// with invented films in place of the recorded chart.
public struct RecordingError: Error, Equatable, CustomStringConvertible {
    /// The folder or file, as a path.
    public let path: String
    public let reason: String
    public let remedy: String

    public var description: String {
        "cannot use the recording \(path): \(reason). \(remedy)"
    }

    static func unreadable(_ path: String, _ cause: any Error) -> RecordingError {
        RecordingError(
            path: path, reason: "it cannot be read: \(FileFailure.text(of: cause))",
            remedy: "Check the path and its permissions, or start without --recordings.")
    }

    static func malformed(_ path: String, _ reason: String) -> RecordingError {
        RecordingError(
            path: path, reason: reason, remedy: "Record it again, or move the file out of the folder or rename it.")
    }
}
