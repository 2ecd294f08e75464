public import ServiceKit

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// What stdout is connected to.
public struct Terminal: Sendable {
    /// Whether it is a terminal that takes more than lines.
    public let isInteractive: Bool
    public let style: TextStyle

    public init(isColourUnwanted: Bool, _ environment: Environment) {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        isInteractive = isTerminal && environment["TERM"] != "dumb"
        style = TextStyle(isTerminal: isTerminal, isUnwanted: isColourUnwanted, environment)
    }

    /// Columns and lines at this moment, since a window changes its size; nil when it is none, or one without a size.
    public var size: (columns: Int, lines: Int)? {
        guard isInteractive else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
