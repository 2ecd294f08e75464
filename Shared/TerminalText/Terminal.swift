public import ProcessKit

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// What stdout or stderr is connected to.
public struct Terminal: Sendable {
    public enum Stream: Sendable {
        case output, error

        fileprivate var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }
    }

    private let stream: Stream
    var descriptor: Int32 { stream.descriptor }
    /// Whether it is a terminal that takes more than lines.
    public let isInteractive: Bool
    public let style: TextStyle

    public init(_ stream: Stream = .output, isColourUnwanted: Bool, _ environment: Environment) {
        self.stream = stream
        let isTerminal = isatty(stream.descriptor) == 1
        isInteractive = isTerminal && environment["TERM"] != "dumb"
        style = TextStyle(isTerminal: isTerminal, isUnwanted: isColourUnwanted, environment)
    }

    /// Columns and lines at this moment, since a window changes its size; nil when it is none, or one without a size.
    public var size: (columns: Int, lines: Int)? {
        guard isInteractive else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
