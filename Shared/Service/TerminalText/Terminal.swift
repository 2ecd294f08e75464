public import ProcessKit

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The terminal, if any, that stdout or stderr is connected to.
public struct Terminal: Sendable {
    public enum Stream: Sendable {
        case output, error

        fileprivate var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }
    }

    private let stream: Stream
    var descriptor: Int32 { stream.descriptor }
    /// Whether it is a terminal that supports more than plain lines.
    public let isInteractive: Bool
    public let style: TextStyle

    public init(_ stream: Stream = .output, isColourUnwanted: Bool, _ environment: Environment) {
        self.stream = stream
        let isTerminal = isatty(stream.descriptor) == 1
        isInteractive = isTerminal && environment["TERM"] != "dumb"
        style = TextStyle(isTerminal: isTerminal, isUnwanted: isColourUnwanted, environment)
    }

    /// Current columns and lines, since a window may change its size; nil without a terminal or its size.
    public var size: (columns: Int, lines: Int)? {
        guard isInteractive else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
