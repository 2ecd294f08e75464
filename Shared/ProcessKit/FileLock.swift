import ProcessKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The lock that excludes a second broker from a run folder: binding an ipc path twice would succeed and take it over.
///
/// The kernel frees it when the process ends, however it ends.
struct BrokerLock: ~Copyable {
    private let descriptor: Int32

    init(file: String) throws {
        descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StartupError(
                "The lock file \(file) cannot be opened: \(String(cString: strerror(errno))).",
                exitStatus: ExitStatus.inputOutput)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.holder(descriptor)
            close(descriptor)
            throw StartupError(
                "A broker is running here already (process \(holder), lock \(file)). "
                    + "Stop it with \(Installation.stack) down, or set BOXOFFICE_RUN to another folder.",
                exitStatus: ExitStatus.unavailable)
        }
        let line = Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        pwrite(descriptor, line, line.count, 0)
    }

    deinit {
        close(descriptor)
    }

    private static func holder(_ descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        let digits = buffer.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
        return digits.isEmpty ? "unknown" : String(decoding: digits, as: UTF8.self)
    }
}
