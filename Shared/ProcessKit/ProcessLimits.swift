#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// What the system lets this process have.
public enum ProcessLimits {
    /// Raises the number of open files and sockets as far as it may go; a shell's usual 1,024 is a leftover of `select`.
    public static func raiseDescriptors() {
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        #if canImport(Darwin)
            limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #else
            limit.rlim_cur = limit.rlim_max
        #endif
        // Refused, it stays as it is, and as it is it is logged.
        setrlimit(files, &limit)
    }

    /// How many files and sockets may be open at a time.
    public static var descriptors: Int {
        var limit = rlimit()
        return getrlimit(files, &limit) == 0 ? Int(clamping: limit.rlim_cur) : 1024
    }

    /// Bounds the memory of the process's own: beyond it an allocation fails, and a program that cannot do without ends.
    public static func boundMemory(to bytes: Int) {
        #if os(Linux)
            var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
            setrlimit(memory, &limit)
        #endif
    }

    #if canImport(Glibc)
        private static let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        private static let memory = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    #elseif canImport(Musl)
        private static let files = RLIMIT_NOFILE
        private static let memory = RLIMIT_DATA
    #else
        private static let files = RLIMIT_NOFILE
    #endif
}
