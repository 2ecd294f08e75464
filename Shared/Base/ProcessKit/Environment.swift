public import Localization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The environment of the process combined with the user's file of settings; a value, so that tests can use their own.
public struct Environment: Sendable {
    /// The origin of a value.
    public enum Origin: Sendable, Equatable {
        case environment
        /// The file's path and the line, for example "boxoffice.conf:12".
        case file(String)
        /// The value is not set.
        case nowhere
    }

    private let values: [String: String]
    /// The file and line of each value that the user's file sets.
    private let places: [String: String]
    /// The user's file of settings, when there is one.
    public let file: String?

    public init(_ values: [String: String]) {
        self.init(values, places: [:], file: nil)
    }

    private init(_ values: [String: String], places: [String: String], file: String?) {
        self.values = values
        self.places = places
        self.file = file
    }

    /// The environment of this process without the user's file.
    public static var process: Environment { Environment(ProcessInfo.processInfo.environment) }

    /// The environment of this process, combined with the user's file.
    ///
    /// - Throws: `StartupError` for a file that cannot be read.
    public static func load() throws -> Environment { try process.mergingFile() }

    /// Adds the values of the user's file that the environment does not set; an empty variable selects the default even
    /// if the file has a value.
    public func mergingFile() throws -> Environment {
        let file = try ConfigurationFile(for: self)
        var below = file.values.filter { values[$0.key] == nil }
        // A run folder in the environment overrides a broker in the file.
        if self["BOXOFFICE_RUN"] != nil { below["BOXOFFICE_BROKER"] = nil }
        let places = file.lines.filter { below[$0.key] != nil }.mapValues { "\(file.path):\($0)" }
        return Environment(values.merging(below) { $1 }, places: places, file: file.path.isEmpty ? nil : file.path)
    }

    /// The names of all variables that are set.
    public var names: [String] { values.filter { !$0.value.isEmpty }.map(\.key) }

    public func origin(of name: String) -> Origin {
        guard self[name] != nil else { return .nowhere }
        return places[name].map { .file($0) } ?? .environment
    }

    /// The value, unless it is missing or empty.
    public subscript(name: String) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A whole number in a range, or the default.
    public func number(_ name: String, default fallback: Int, in range: ClosedRange<Int>) throws -> Int {
        guard let text = self[name] else { return fallback }
        guard let number = Int(text), range.contains(number) else {
            let bounds = (first: range.lowerBound, last: range.upperBound)
            throw StartupError(
                LocalizedText(
                    ko: "\("\(name)=\(text)".with(.topic)) \(bounds.first)부터 \(bounds.last)까지의 정수가 아닙니다.",
                    en: "\(name)=\(text) is not a whole number from \(bounds.first) to \(bounds.last)."),
                exitStatus: ExitStatus.configuration)
        }
        return number
    }

    /// The items of a setting that has commas between them, in lower case.
    public func list(_ name: String) -> [String] {
        (self[name] ?? "").lowercased().split(separator: ",").map { String($0.filter { !$0.isWhitespace }) }
    }

    /// A switch: true for 1, false for 0 or a missing value.
    public func flag(_ name: String) throws -> Bool {
        try number(name, default: 0, in: 0...1) == 1
    }

    /// A secret, from the variable or from the file that `<name>_FILE` names; its value never enters a message.
    public func secret(_ name: String) throws -> String? {
        if let value = self[name] { return value }
        guard let path = self["\(name)_FILE"] else { return nil }
        do {
            return try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        } catch {
            throw StartupError(
                LocalizedText(
                    ko: "\(name)_FILE에 정한 \(path.with(.object)) 읽을 수 없습니다: \(Self.reason(error).ko).",
                    en: "\(name)_FILE names \(path), which cannot be read: \(Self.reason(error).en)."),
                exitStatus: ExitStatus.configuration)
        }
    }

    private static func reason(_ error: any Error) -> LocalizedText {
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile: LocalizedText(ko: "파일이 없습니다", en: "there is no such file")
        case .fileReadNoPermission: LocalizedText(ko: "읽기 권한이 없습니다", en: "it may not be read by this user")
        case .fileReadInapplicableStringEncoding, .fileReadCorruptFile:
            LocalizedText(ko: "UTF-8 텍스트가 아닙니다", en: "it is no UTF-8 text")
        default: LocalizedText(ko: "읽을 수 있는 파일이 아닙니다", en: "it is no readable file")
        }
    }
}

extension Environment {
    /// The folder of cached data: `$BOXOFFICE_CACHE_DIR`, else `$XDG_CACHE_HOME/boxoffice`, else `~/.cache/boxoffice`.
    public func cacheFolder() throws -> String {
        if let folder = self["BOXOFFICE_CACHE_DIR"] { return folder }
        if let cache = self["XDG_CACHE_HOME"] { return "\(cache)/boxoffice" }
        guard let home = self["HOME"] else {
            throw StartupError(
                LocalizedText(
                    ko: "캐시 폴더를 정할 수 없습니다. BOXOFFICE_CACHE_DIR에 폴더를 정하세요(HOME도 없습니다).",
                    en: "There is no folder for the cache: set BOXOFFICE_CACHE_DIR (HOME is not set either)."),
                exitStatus: ExitStatus.configuration)
        }
        return "\(home)/.cache/boxoffice"
    }

    /// The folder of data that is kept: `$BOXOFFICE_DATA_DIR`, else `$XDG_DATA_HOME/boxoffice`, else
    /// `~/.local/share/boxoffice`.
    public func dataFolder() throws -> String {
        if let folder = self["BOXOFFICE_DATA_DIR"] { return folder }
        if let data = self["XDG_DATA_HOME"] { return "\(data)/boxoffice" }
        guard let home = self["HOME"] else {
            throw StartupError(
                LocalizedText(
                    ko: "아카이브 폴더를 정할 수 없습니다. BOXOFFICE_DATA_DIR에 폴더를 정하세요(HOME도 없습니다).",
                    en: "There is no folder for the archive: set BOXOFFICE_DATA_DIR (HOME is not set either)."),
                exitStatus: ExitStatus.configuration)
        }
        return "\(home)/.local/share/boxoffice"
    }

    /// The folder of the broker's keys: `$BOXOFFICE_KEYS`, else `$XDG_CONFIG_HOME/boxoffice/keys`, else
    /// `~/.config/boxoffice/keys`.
    public func keyFolder() throws -> String {
        if let folder = self["BOXOFFICE_KEYS"] { return folder }
        if let configuration = self["XDG_CONFIG_HOME"] { return "\(configuration)/boxoffice/keys" }
        guard let home = self["HOME"] else {
            throw StartupError(
                LocalizedText(
                    ko: "키 폴더를 정할 수 없습니다. BOXOFFICE_KEYS에 폴더를 정하세요(HOME도 없습니다).",
                    en: "There is no folder for the keys: set BOXOFFICE_KEYS (HOME is not set either)."),
                exitStatus: ExitStatus.configuration)
        }
        return "\(home)/.config/boxoffice/keys"
    }
}

extension Language {
    /// The setting of the output's language.
    public static let variable = "BOXOFFICE_LANG"
    /// The variables of the locale; the first one that is set applies.
    public static let localeVariables = ["LC_ALL", "LC_MESSAGES", "LANG"]

    /// The language of `BOXOFFICE_LANG`, else of the locale.
    ///
    /// Korean for a Korean locale, and for C, POSIX and no locale, because the data is in Korean; English for any other.
    public init(_ environment: Environment) {
        let locale = Self.localeVariables.lazy.compactMap { environment[$0] }.first ?? ""
        let name = locale.prefix { $0.isLetter }
        let ofLocale: Language = ["", "C", "POSIX", "ko"].contains(name) ? .ko : .en
        self = environment[Self.variable].flatMap(Language.init) ?? ofLocale
    }

    /// - Throws: `StartupError` for a `BOXOFFICE_LANG` that names no language of the programs.
    public static func check(_ environment: Environment) throws {
        guard let value = environment[variable], Language(rawValue: value) == nil else { return }
        throw StartupError(
            LocalizedText(
                ko: "\(variable)=\(value): ko나 en만 쓸 수 있습니다(use ko or en).",
                en: "\(variable)=\(value) is neither ko nor en."),
            exitStatus: ExitStatus.configuration)
    }
}
