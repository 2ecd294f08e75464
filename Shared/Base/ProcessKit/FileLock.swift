#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A lock that excludes other processes from what a folder contains; its file names the process that has it.
///
/// The kernel frees it when the process ends, however it ends.
public final class FileLock: Sendable {
    public enum Failure: Error, Equatable {
        /// - Parameter holder: the process that has the lock, as a number or "unknown".
        case isHeld(holder: String)
        /// - Parameter reason: of the system.
        case cannotOpen(reason: String)
    }

    public let path: String
    private let descriptor: Int32
    private let identity: FileIdentity?

    public init(path: String) throws(Failure) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        let reason = String(cString: strerror(errno))
        identity = FileIdentity(descriptor: descriptor)
        guard descriptor >= 0 else { throw .cannotOpen(reason: reason) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .isHeld(holder: Self.holder(descriptor)) }
        let line = Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        pwrite(descriptor, line, line.count, 0)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether the path still names this file: otherwise another process can take a lock of its own.
    public var isInPlace: Bool { identity != nil && FileIdentity(path: path) == identity }

    /// Returns when the file is gone or another one has its place, or when the task is cancelled.
    ///
    /// - Parameter pause: between two looks.
    public func awaitLoss(every pause: Duration = .seconds(1)) async {
        // Only cancellation interrupts the sleep.
        while isInPlace, (try? await Task.sleep(for: pause)) != nil {}
    }

    private static func holder(_ descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        let digits = buffer.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
        return digits.isEmpty ? "unknown" : String(decoding: digits, as: UTF8.self)
    }
}
