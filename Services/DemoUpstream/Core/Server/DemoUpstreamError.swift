/// Why the demo upstream could not do its work: what, why, and what to do.
public enum DemoUpstreamError: Error, CustomStringConvertible {
    case cannotListen(port: Int, reason: String)
    case cannotWriteURLFile(path: String, reason: String)
    /// The server ended before it listened.
    case neverListened

    /// The exit code of a process that fails with this error (sysexits: unavailable, local I/O).
    public var exitCode: Int32 {
        switch self {
        case .cannotListen, .neverListened: 69
        case .cannotWriteURLFile: 74
        }
    }

    public var description: String {
        switch self {
        case .cannotListen(let port, let reason):
            "cannot listen on 127.0.0.1:\(port): \(reason). Choose another --port, or 0 for any free one."
        case .cannotWriteURLFile(let path, let reason):
            "cannot write the address to \(path): \(reason). Choose a path in a folder that exists and is writable."
        case .neverListened:
            "the demo upstream ended before it listened"
        }
    }
}
