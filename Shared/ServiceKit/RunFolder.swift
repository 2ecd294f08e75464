public import MessageBus

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The private folder that holds a stack's sockets: `$BOXOFFICE_RUN`, else `$XDG_RUNTIME_DIR/boxoffice`, else
/// `/tmp/boxoffice-UID`. Two stacks with different folders never meet.
public struct RunFolder: Sendable {
    public let path: String

    public init(_ environment: Environment) {
        if let path = environment["BOXOFFICE_RUN"] {
            self.init(path: path)
        } else if let runtime = environment["XDG_RUNTIME_DIR"] {
            self.init(path: "\(runtime)/boxoffice")
        } else {
            self.init(path: "/tmp/boxoffice-\(getuid())")
        }
    }

    init(path: String) {
        // A slash at the end would make lstat follow a symbolic link.
        let trimmed = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }.reversed()
        self.path = trimmed.isEmpty ? path : String(decoding: Array(trimmed), as: UTF8.self)
    }

    public var lockFile: String { "\(path)/broker.lock" }

    public func endpoints() throws -> BusEndpoints {
        try BusEndpoints(
            requests: ipc("broker.ipc"), eventsIn: ipc("events-in.ipc"), events: ipc("events.ipc"))
    }

    private func ipc(_ name: String) throws -> String {
        let file = "\(path)/\(name)"
        // The kernel's sockaddr_un holds 108 bytes, and libzmq cuts what does not fit instead of refusing it.
        guard file.utf8.count <= 103 else {
            throw StartupError(
                "The socket path \(file) has \(file.utf8.count) bytes, at most 103 are possible. "
                    + "Use a shorter folder (BOXOFFICE_RUN).",
                exitStatus: ExitStatus.configuration)
        }
        return "ipc://\(file)"
    }

    /// Makes the folder if it is missing, and refuses one that others could write to.
    public func prepare() throws {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw StartupError(
                "The run folder \(path) cannot be made: \(String(cString: strerror(errno))). "
                    + "Set BOXOFFICE_RUN to a folder of your own.",
                exitStatus: ExitStatus.inputOutput)
        }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StartupError(
                "The run folder \(path) is not a folder. Set BOXOFFICE_RUN to one of your own.",
                exitStatus: ExitStatus.inputOutput)
        }
        guard status.st_uid == getuid(), status.st_mode & 0o077 == 0 else {
            throw StartupError(
                "The run folder \(path) belongs to somebody else or is open to others (owner \(status.st_uid), mode "
                    + "\(String(status.st_mode & 0o777, radix: 8))). Remove it, or set BOXOFFICE_RUN to another.",
                exitStatus: ExitStatus.inputOutput)
        }
    }
}
