internal import Localization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The user's file of settings, one `NAME=VALUE` per line, as in `compose/boxoffice.conf`; the environment overrides
/// it.
public struct ConfigurationFile: Sendable, Equatable {
    public let path: String
    public let values: [String: String]
    /// The line number of each value, from 1.
    let lines: [String: Int]

    /// - Parameter path: The path for messages; empty when there is no file.
    public init(_ text: String, path: String) throws {
        var values: [String: String] = [:]
        var lines: [String: Int] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingPrefix(while: \.isWhitespace)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let match = line.wholeMatch(of: /([A-Z][A-Z0-9_]*)[ \t]*=[ \t]*(.*?)\s*/) else {
                throw Self.unusable(path, index + 1, ko: "NAME=VALUE 형식이 아닙니다.", en: "not NAME=VALUE.")
            }
            let name = String(match.1)
            // A file of settings must not contain secrets, because it is shown and copied.
            guard !KnownSettings.keys.contains(name) else {
                throw Self.unusable(
                    path, index + 1,
                    ko: "키를 직접 쓸 수 없습니다. 키 파일의 경로를 쓰세요: \(name)_FILE=",
                    en: "keys are not allowed here. Set the path of a key file: \(name)_FILE=")
            }
            guard KnownSettings.isInFile(name) else {
                let nearest = KnownSettings.nearest(to: name)
                throw Self.unusable(
                    path, index + 1, ko: "알 수 없는 설정 \(name).\(nearest.map { " \($0)인가요?" } ?? "")",
                    en: "unknown setting \(name).\(nearest.map { " Did you mean \($0)?" } ?? "")")
            }
            guard values.updateValue(String(match.2), forKey: name) == nil else {
                throw Self.unusable(
                    path, index + 1, ko: "\(name): 두 번 설정했습니다.", en: "\(name) is set twice.")
            }
            lines[name] = index + 1
        }
        self.path = path
        self.values = values
        self.lines = lines
    }

    /// The path in `BOXOFFICE_CONFIG`, else `$XDG_CONFIG_HOME/boxoffice/boxoffice.conf`, else
    /// `~/.config/boxoffice/boxoffice.conf`; empty when there is no file and no path was given.
    init(for environment: Environment) throws {
        let named = environment["BOXOFFICE_CONFIG"]
        let folder = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { "\($0)/.config" }
        guard let path = named ?? folder.map({ "\($0)/boxoffice/boxoffice.conf" }) else {
            try self.init("", path: "")
            return
        }
        switch Self.text(of: path) {
        case .success(let text): try self.init(text, path: path)
        case .failure(ENOENT) where named == nil, .failure(ENOTDIR) where named == nil,
            .failure(EACCES) where named == nil:
            try self.init("", path: "")
        case .failure(let number):
            let reason = String(cString: strerror(number))
            throw StartupError(
                LocalizedText(
                    ko: "설정 파일 \(path.with(.object)) 읽을 수 없습니다: \(reason). 권한을 확인하거나 BOXOFFICE_CONFIG로 다른 파일을 지정하세요.",
                    en: "Cannot read the settings in \(path): \(reason). "
                        + "Check its permissions, or set BOXOFFICE_CONFIG to another file."),
                exitStatus: ExitStatus.configuration)
        }
    }

    private enum Reading {
        case success(String)
        case failure(Int32)
    }

    /// Reads any readable path, /dev/null included, to its end or its first mebibyte.
    private static func text(of path: String) -> Reading {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while bytes.count < 1 << 20 {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 { return .failure(errno) }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        return .success(String(decoding: bytes, as: UTF8.self))
    }

    private static func unusable(_ path: String, _ line: Int, ko: String, en: String) -> StartupError {
        StartupError(
            LocalizedText(
                ko: "\(path) \(line)행: \(ko) 모든 설정: \(Installation.settingsFile)",
                en: "\(path), line \(line): \(en) All settings: \(Installation.settingsFile)"),
            exitStatus: ExitStatus.configuration)
    }
}
