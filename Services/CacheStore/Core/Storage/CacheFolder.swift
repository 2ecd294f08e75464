import ProcessKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The folder of the databases, which one process uses at a time: two would count the calls of a day apart.
struct CacheFolder {
    private let lock: FileLock?

    /// Makes the folder if it is missing, and locks it.
    ///
    /// A folder that cannot be written gets no lock: nothing is stored there either.
    ///
    /// - Throws: `StartupError` when another process has it, or when it belongs to another user.
    init(_ path: String) throws(StartupError) {
        try Self.checkOwner(path)
        for index in path.indices.dropFirst() where path[index] == "/" { mkdir(String(path[..<index]), 0o700) }
        mkdir(path, 0o700)
        let file = "\(path)/cache.lock"
        do {
            lock = try FileLock(path: file)
        } catch {
            guard case .isHeld(let holder) = error else {
                lock = nil
                return
            }
            throw StartupError(
                "The cache folder \(path) is in use by another cache-store (process \(holder), lock \(file)). Stop that one, "
                    + "or set BOXOFFICE_CACHE_DIR to another folder.", exitStatus: ExitStatus.configuration)
        }
    }

    /// The owner of an existing folder is this user, or root, who may give a folder to a group.
    private static func checkOwner(_ path: String) throws(StartupError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid != geteuid(), status.st_uid != 0 else { return }
        throw StartupError(
            "The cache folder \(path) belongs to another user (\(status.st_uid)). Set BOXOFFICE_CACHE_DIR to a folder of your "
                + "own.", exitStatus: ExitStatus.configuration)
    }
}
