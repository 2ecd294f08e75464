#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A folder that belongs to this user and that nobody else can reach into.
public struct PrivateFolder: Sendable {
    public let path: String
    private let name: String
    private let advice: String

    /// - Parameters:
    ///   - name: as messages name it, "run folder".
    ///   - advice: what to do when it cannot be used, as a sentence.
    public init(path: String, name: String, advice: String) {
        // A slash at the end would make lstat follow a symbolic link.
        let trimmed = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }.reversed()
        self.path = trimmed.isEmpty ? path : String(decoding: Array(trimmed), as: UTF8.self)
        self.name = name
        self.advice = advice
    }

    /// Makes the folder if it is missing, and refuses one that others could reach into.
    ///
    /// Who only looks makes it too: in a folder that all may write, another user could make it later.
    public func prepare() throws {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw StartupError(
                "The \(name) \(path) cannot be made: \(String(cString: strerror(errno))). \(advice)",
                exitStatus: ExitStatus.inputOutput)
        }
        try check()
    }

    /// Refuses a folder that others could reach into, that belongs to somebody else, or that is none.
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
