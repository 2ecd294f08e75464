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
                throw Self.unusable(path, index + 1, ko: "NAME=VALUE 형식이 아닙니다", en: "is no NAME=VALUE")
            }
            let name = String(match.1)
            guard
                name.hasPrefix("BOXOFFICE_")
                    || ["_BASE_URL", "_DAILY_LIMIT", "_CONCURRENCY", "_KEY", "_KEY_FILE"].contains(
                        where: name.hasSuffix)
                    || ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"].contains(name)
            else {
                throw Self.unusable(path, index + 1, ko: "알 수 없는 설정 \(name)", en: "unknown setting \(name)")
            }
            // A file of settings must not contain secrets, because it is shown and copied.
            guard !name.hasSuffix("_API_KEY") else {
                throw Self.unusable(
                    path, index + 1,
                    ko: "키가 들어 있습니다. 키가 든 파일의 이름을 쓰세요: \(name)_FILE=",
                    en: "holds a key; name a file that holds it: \(name)_FILE=")
            }
            guard values.updateValue(String(match.2), forKey: name) == nil else {
                throw Self.unusable(
                    path, index + 1, ko: "\(name.with(.object)) 두 번 설정합니다", en: "sets \(name) a second time")
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
                    ko: "설정 파일 \(path.with(.object)) 읽을 수 없습니다: \(reason). 읽을 수 있게 하거나 BOXOFFICE_CONFIG로 다른 파일을 정하세요.",
                    en: "The settings in \(path) cannot be read: \(reason). "
                        + "Make the file readable, or name another one by BOXOFFICE_CONFIG."),
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
                ko: "\(path) \(line)행: \(ko). 모든 설정은 \(Installation.settingsFile)에 있습니다.",
                en: "\(path), line \(line), \(en). \(Installation.settingsFile) shows what can be set."),
            exitStatus: ExitStatus.configuration)
    }
}
