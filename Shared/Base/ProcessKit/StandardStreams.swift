#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The three standard streams of a program.
public enum StandardStreams {
    /// Reopens the streams that the parent process has closed, so that no later file or socket gets their numbers and
    /// receives their output.
    ///
    /// They are opened in the wrong direction, so that using them still fails as for a closed stream.
    public static func reopenClosedDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // `open` returns the lowest free number, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether a stream is inherited, and not opened by the runtime under its number before `main`: the runtime sets
    /// close-on-exec, which no inherited stream has.
    static func isInherited(_ descriptor: Int32) -> Bool {
        fcntl(descriptor, F_GETFD) == 0
    }
}
