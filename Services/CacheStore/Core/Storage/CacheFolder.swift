public import Logging
import ProcessKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The folder of the databases, which one process uses at a time: two would count the calls of a day apart.
public actor CacheFolder {
    private let path: String
    private let logger: Logger
    private var lock: FileLock?
    private var isFailing = false

    public init(_ path: String, logger: Logger) {
        self.path = path
        self.logger = logger
    }

    /// Takes the lock unless this process has it: before a database is opened, and after the lock file was deleted.
    ///
    /// Makes the folder if it is missing.
    ///
    /// - Throws: `StorageError`, `inUse` when another process has the lock, or another user the folder.
    func keepLock() throws(StorageError) {
        guard lock?.isInPlace != true else { return }
        lock = nil
        for index in path.indices.dropFirst() where path[index] == "/" { mkdir(String(path[..<index]), 0o700) }
        mkdir(path, 0o700)
        try checkOwner()
        do {
            lock = try FileLock(path: "\(path)/cache.lock")
            isFailing = false
        } catch {
            switch error {
            case .isHeld(let holder):
                throw StorageError(
                    .inUse,
                    "The cache folder \(path) is in use by another cache-store (process \(holder), lock \(path)/cache.lock). Stop "
                        + "that one, or set BOXOFFICE_CACHE_DIR to another folder.")
            case .cannotOpen(let reason):
                if !isFailing {
                    logger.error(
                        "the cache folder cannot be locked",
                        metadata: ["cache.folder": "\(path)", "cache.reason": "\(reason)"])
                }
                isFailing = true
                throw StorageError(.notWritable, "\(path)/cache.lock cannot be opened: \(reason)")
            }
        }
    }

    /// The owner of the folder is this user, or root, who may give a folder to a group. Looked at when the folder exists:
    /// another user may have made it a moment before.
    private func checkOwner() throws(StorageError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid != geteuid(), status.st_uid != 0 else { return }
        throw StorageError(
            .inUse,
            "The cache folder \(path) belongs to another user (\(status.st_uid)). Set BOXOFFICE_CACHE_DIR to a folder of your own."
        )
    }
}
