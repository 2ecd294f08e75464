internal import Localization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A file of one key, as `broker keygen` writes it: of CURVE one line of 40 characters of Z85, of NATS the lines of the
/// public key and of the seed.
public struct KeyFile: Sendable {
    public enum Kind: Sendable {
        /// Only its owner may read it.
        case secret
        /// Only its owner may write it.
        case `public`
    }

    public let path: String
    private let kind: Kind

    public init(_ path: String, _ kind: Kind) {
        self.path = path
        self.kind = kind
    }

    /// Reads the text of the key, not yet decoded; it never appears in a message.
    public func text() throws(StartupError) -> String {
        // Non-blocking, because the path may be a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw unusable(ko: "읽을 수 없습니다: \(reason)", en: "cannot be read: \(reason)")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unusable(ko: "파일이 아닙니다", en: "is no file")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw unusable(
                ko: "다른 사용자의 것입니다(소유자 \(status.st_uid))", en: "belongs to another user (owner \(status.st_uid))")
        }
        let mode = String(status.st_mode & 0o777, radix: 8)
        switch kind {
        case .secret where status.st_mode & 0o077 != 0:
            throw unusable(
                ko: "다른 사용자가 읽거나 쓸 수 있습니다(모드 \(mode)). 권한을 바꾸세요: chmod 600 '\(path)'",
                en: "may be read or written by other users (mode \(mode)). Close it: chmod 600 '\(path)'")
        case .public where status.st_mode & 0o022 != 0:
            throw unusable(
                ko: "다른 사용자가 쓸 수 있습니다(모드 \(mode)). 권한을 바꾸세요: chmod 644 '\(path)'",
                en: "may be written by other users (mode \(mode)). Close it: chmod 644 '\(path)'")
        case .secret, .public: break
        }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &buffer, buffer.count)
        let line = buffer.prefix(max(0, count)).reversed().drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return String(decoding: line.reversed(), as: UTF8.self)
    }

    /// The error for a text that is not a key of a user of NATS.
    public var invalidNATSKeyError: StartupError {
        unusable(
            ko: "NATS 키가 없습니다. 공개 키와 시드가 한 줄씩이며, \(Installation.program("broker")) keygen --nats가 만듭니다",
            en:
                "holds no key of NATS: a line with the public key and a line with the seed; \(Installation.program("broker")) keygen --nats makes "
                + "them")
    }

    /// The error for a text that is not a key of CURVE.
    public var invalidKeyError: StartupError {
        unusable(
            ko: "키가 없습니다. 키는 Z85 글자 40개로 된 한 줄이며, \(Installation.program("broker")) keygen이 만듭니다",
            en:
                "holds no key. A key is one line of 40 characters of Z85; \(Installation.program("broker")) keygen makes them"
        )
    }

    private func unusable(ko: String, en: String) -> StartupError {
        StartupError(
            LocalizedText(ko: "키 파일 \(path): \(ko).", en: "The key file \(path) \(en)."),
            exitStatus: ExitStatus.configuration)
    }
}
