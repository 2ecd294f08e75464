public import Logging
public import ProcessKit

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A folder of databases, which one process uses at a time.
public actor DataFolder {
    /// What messages say about a folder.
    public struct Description: Sendable {
        /// "cache": the folder's name in messages, and that of its lock file.
        let name: String
        /// The service that uses it.
        let service: String
        /// The variable that names another folder.
        let setting: String

        public init(name: String, service: String, setting: String) {
            self.name = name
            self.service = service
            self.setting = setting
        }

        /// The end of a service whose file needs a decision of its operator.
        public func startupError(_ error: StorageError) -> StartupError {
            let advice =
                error.code == .inUse
                ? ""
                : ". It is left as it is. Run the release that wrote it, move the file away, or set \(setting) to another folder."
            return StartupError(error.message + advice, exitStatus: ExitStatus.configuration)
        }
    }

    private let path: String
    private let description: Description
    private let logger: Logger
    private var lock: FileLock?
    private var isFailing = false

    public init(_ path: String, _ description: Description, logger: Logger) {
        self.path = path
        self.description = description
        self.logger = logger
    }

    /// Takes the lock unless this process has it: before a database is opened, and after the lock file was deleted.
    ///
    /// Makes the folder if it is missing.
    ///
    /// - Throws: `StorageError`, `inUse` when another process has the lock, or another user the folder.
    public func keepLock() throws(StorageError) {
        guard lock?.isInPlace != true else { return }
        lock = nil
        for index in path.indices.dropFirst() where path[index] == "/" { mkdir(String(path[..<index]), 0o700) }
        mkdir(path, 0o700)
        try checkOwner()
        do {
            lock = try FileLock(path: lockPath)
            isFailing = false
        } catch {
            switch error {
            case .isHeld(let holder):
                throw StorageError(
                    .inUse,
                    "The \(description.name) folder \(path) is in use by another \(description.service) (process \(holder), "
                        + "lock \(lockPath)). Stop that one, or set \(description.setting) to another folder.")
            case .cannotOpen(let reason):
                if !isFailing {
                    logger.error(
                        "the \(description.name) folder cannot be locked",
                        metadata: ["storage.folder": "\(path)", "storage.reason": "\(reason)"])
                }
                isFailing = true
                throw StorageError(.notWritable, "\(lockPath) cannot be opened: \(reason)")
            }
        }
    }

    private var lockPath: String { "\(path)/\(description.name).lock" }

    /// The owner of the folder is this user, or root, who may give a folder to a group. Looked at when the folder exists:
    /// another user may have made it a moment before.
    private func checkOwner() throws(StorageError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid != geteuid(), status.st_uid != 0 else { return }
        throw StorageError(
            .inUse,
            "The \(description.name) folder \(path) belongs to another user (\(status.st_uid)). Set \(description.setting) to a "
                + "folder of your own."
        )
    }
}
