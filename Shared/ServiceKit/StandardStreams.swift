#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The three streams that a program is born with.
enum StandardStreams {
    /// Takes the places of those that the caller has closed, so that no file or socket opened later gets their numbers
    /// and is written to in their stead.
    ///
    /// Opened the wrong way round: whoever uses them is still told that they are closed.
    static func keepPlaces() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is taken, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether a stream is the caller's: what a program is born with is never close-on-exec, as whatever the runtime has
    /// opened under its number before `main` is.
    static func isInherited(_ descriptor: Int32) -> Bool {
        fcntl(descriptor, F_GETFD) == 0
    }
}
