#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The three streams that a program is born with.
public enum StandardStreams {
    /// Takes the places of those that the caller has closed, so that no file or socket opened later gets their numbers
    /// and is written to in their stead.
    ///
    /// Opened the wrong way round: whoever uses them is still told that they are closed.
    public static func reopenClosedDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is taken, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether a stream is the caller's, and not what the runtime has opened under its number before `main`: that is
    /// closed on exec, which no stream is that a program is born with.
    static func isInherited(_ descriptor: Int32) -> Bool {
        fcntl(descriptor, F_GETFD) == 0
    }
}
