#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A folder that belongs to this user and that no other user can access.
public struct PrivateFolder: Sendable {
    public let path: String
    private let name: String
    private let advice: String

    /// - Parameters:
    ///   - name: The name in messages, for example "run folder".
    ///   - advice: What to do when the folder is unusable, as a sentence.
    public init(path: String, name: String, advice: String) {
        // With a trailing slash lstat would follow a symbolic link.
        let trimmed = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }.reversed()
        self.path = trimmed.isEmpty ? path : String(decoding: Array(trimmed), as: UTF8.self)
        self.name = name
        self.advice = advice
    }

    /// Creates the folder if it is missing, and refuses a folder that other users could access.
    ///
    /// Read-only programs create it too: in a world-writable parent, another user could create it later.
    public func prepare() throws {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw StartupError(
                "The \(name) \(path) cannot be made: \(String(cString: strerror(errno))). \(advice)",
                exitStatus: ExitStatus.inputOutput)
        }
        try check()
    }

    /// Refuses a folder that other users could access or own, and a path that is not a folder.
    public func check() throws {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StartupError("The \(name) \(path) is not a folder. \(advice)", exitStatus: ExitStatus.configuration)
        }
        guard status.st_uid == geteuid() else {
            throw StartupError(
                "The \(name) \(path) belongs to somebody else (owner \(status.st_uid)). \(advice)",
                exitStatus: ExitStatus.configuration)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw StartupError(
                "The \(name) \(path) is open to others (mode \(String(status.st_mode & 0o777, radix: 8))). "
                    + "Close it: chmod 700 '\(path)'",
                exitStatus: ExitStatus.configuration)
        }
    }
}
