public import Localization

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
    private let name: LocalizedText
    private let advice: LocalizedText

    /// - Parameters:
    ///   - name: The name in messages, for example "run folder".
    ///   - advice: What to do when the folder is unusable, as a sentence.
    public init(path: String, name: LocalizedText, advice: LocalizedText) {
        // With a trailing slash lstat would follow a symbolic link.
        let trimmed = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }.reversed()
        self.path = trimmed.isEmpty ? path : String(decoding: Array(trimmed), as: UTF8.self)
        self.name = name
        self.advice = advice
    }

    /// Creates the folder if it is missing, and refuses a folder that other users could access.
    public func prepare() throws {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            let reason = String(cString: strerror(errno))
            throw StartupError(
                message(ko: "만들 수 없습니다(\(reason)).", en: "cannot be made: \(reason)."),
                exitStatus: ExitStatus.inputOutput)
        }
        try check()
    }

    /// Whether there is nothing at the path.
    public var isMissing: Bool {
        var status = stat()
        return lstat(path, &status) != 0 && errno == ENOENT
    }

    /// Refuses a folder that other users could access or own, and a path that is not a folder.
    public func check() throws {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StartupError(message(ko: "폴더가 아닙니다.", en: "is not a folder."), exitStatus: ExitStatus.configuration)
        }
        guard status.st_uid == geteuid() else {
            throw StartupError(
                message(
                    ko: "다른 사용자의 것입니다(소유자 \(status.st_uid)).",
                    en: "belongs to another user (owner \(status.st_uid))."),
                exitStatus: ExitStatus.configuration)
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            let close = "chmod 700 '\(path)'"
            throw StartupError(
                message(
                    ko: "다른 사용자에게 열려 있습니다(모드 \(mode)).", en: "is open to other users (mode \(mode)).",
                    advice: LocalizedText(ko: "권한을 바꾸세요: \(close)", en: "Close it: \(close)")),
                exitStatus: ExitStatus.configuration)
        }
    }

    /// What is wrong with the folder, and what to do.
    private func message(ko: String, en: String, advice: LocalizedText? = nil) -> LocalizedText {
        let advice = advice ?? self.advice
        return LocalizedText(
            ko: "\(name(.ko)) \(path): \(ko) \(advice(.ko))", en: "The \(name(.en)) \(path) \(en) \(advice(.en))")
    }
}
