internal import Localization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Output of programs: writes all bytes or throws an error, and stops when the reader has closed the pipe.
public enum LineOutput {
    /// Writes a line to stdout immediately.
    ///
    /// - Returns: False when the reader has closed the pipe, which is not an error.
    public static func write(_ line: String) throws -> Bool {
        try write(Array("\(line)\n".utf8), toStandardError: false)
    }

    /// False when stdout has no reader any more; a pipe reports this before a write.
    public static var hasReader: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&output, 1, 0) <= 0 || output.revents & Int16(POLLERR | POLLHUP | POLLNVAL) == 0
    }

    /// Writes all bytes; false when the reader has closed the pipe.
    public static func write(_ bytes: [UInt8], toStandardError: Bool) throws -> Bool {
        let descriptor = toStandardError ? STDERR_FILENO : STDOUT_FILENO
        switch StandardStreams.isInherited(descriptor) ? write(bytes, to: descriptor) : EBADF {
        case nil: return true
        case EPIPE: return false
        case let error?:
            let reason = String(cString: strerror(error))
            throw StartupError(
                LocalizedText(
                    ko: "출력을 쓸 수 없습니다: \(reason). 공간을 확보하거나 다른 곳으로 보내세요.",
                    en: "The output cannot be written: \(reason). Make room there, or send it elsewhere."),
                exitStatus: ExitStatus.inputOutput)
        }
    }

    /// Writes a text to stderr as it is. A closed or full stderr drops it, since nothing can report that.
    public static func note(_ text: String) {
        _ = try? write(Array(text.utf8), toStandardError: true)
    }

    /// Writes all bytes into an open file and repeats partial writes.
    ///
    /// - Returns: The system's error number when the rest could not be written; nil on success.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}

private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
