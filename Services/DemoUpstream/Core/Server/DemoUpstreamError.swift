#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Why the demo upstream could not do its work: what, why, and what to do.
public enum DemoUpstreamError: Error, CustomStringConvertible {
    case cannotListen(port: Int, reason: String)
    /// The server ended before it listened.
    case neverListened

    /// The exit code of a process that fails with this error (sysexits: unavailable).
    public var exitCode: Int32 {
        switch self {
        case .cannotListen, .neverListened: 69
        }
    }

    public var description: String {
        switch self {
        case .cannotListen(let port, let reason):
            "cannot listen on 127.0.0.1:\(port): \(reason). Choose another --port, or 0 for any free one."
        case .neverListened:
            "the demo upstream ended before it listened"
        }
    }
}

/// Describes why a file could not be read or written; Foundation's own description is a dump of its fields.
enum FileFailure {
    static func text(of error: any Error) -> String {
        guard let error = error as? CocoaError else { return "\(error)" }
        return switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file or folder"
        case .fileReadNoPermission, .fileWriteNoPermission: "permission denied"
        case .fileWriteOutOfSpace: "no space is left"
        default: "file error \(error.code.rawValue)"
        }
    }
}

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
