#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The system limits of this process.
public enum ProcessLimits {
    /// Raises the limit of open files and sockets to its maximum; the usual 1,024 exists because of `select`.
    public static func raiseDescriptors() {
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        #if canImport(Darwin)
            limit.rlim_cur = min(limit.rlim_max, rlim_t(OPEN_MAX))
        #else
            limit.rlim_cur = limit.rlim_max
        #endif
        // On failure the limit is unchanged; the log states the actual limit.
        setrlimit(files, &limit)
    }

    /// The limit of open files and sockets.
    public static var descriptors: Int {
        var limit = rlimit()
        return getrlimit(files, &limit) == 0 ? Int(clamping: limit.rlim_cur) : 1024
    }

    /// Bounds the private memory of the process: beyond it an allocation fails, and the program ends.
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
