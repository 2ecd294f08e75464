import BusSettings
import Envelope
import Localization
import MajordomoBus
import MessageBus
import ProcessKit
import ServiceKit
import TerminalText

/// All settings of all programs, overridden by the options of one command line; API keys only as set or not set.
struct SettingsReport: Sendable, Encodable {
    let settings: [Setting]
    /// Variables that look like settings and that no program reads.
    let unknown: [UnknownSetting]
    /// The host's part in the names of instances.
    let host: String

    /// - Parameters:
    ///   - broker: the value of `--broker`.
    ///   - language: the value of `--lang`.
    ///   - isColourless: whether `--no-color` is given.
    init(_ environment: Environment, broker: String?, language: Language?, isColourless: Bool) {
        func setting(_ name: String, default fallback: String? = nil, option: String? = nil) -> Setting {
            let value = option ?? environment[name] ?? fallback
            return Setting(
                name: name,
                value: KnownSettings.isAddress(name) ? value.map { AddressText($0).description } : value,
                origin: option == nil ? Self.origin(of: name, environment) : "option")
        }
        // An invalid value is shown unchanged; the command that uses it reports the error.
        let endpoint = try? BusAddress.find(broker, environment).text
        let locale = Language.localeVariables.first { environment[$0] != nil } ?? "LANG"
        let listed = KnownSettings.defaults.map { name, value in
            switch name {
            case "BOXOFFICE_RUN": setting(name, default: RunFolder(environment).path)
            case "BOXOFFICE_BROKER": setting(name, default: endpoint, option: broker)
            case Language.variable:
                setting(name, default: Language(environment).rawValue, option: language?.rawValue)
            default: setting(name, default: value.isEmpty ? nil : value)
            }
        }
        let file = Setting(
            name: "BOXOFFICE_CONFIG", value: environment.file,
            origin: environment["BOXOFFICE_CONFIG"] == nil ? "default" : "environment")
        let terminal = [
            setting(locale), setting("NO_COLOR", option: isColourless ? "1" : nil), setting("FORCE_COLOR"),
            setting("TERM"),
        ]
        settings = [file] + listed + terminal + KnownSettings.keys.map { Self.presence($0, environment) }
        unknown = KnownSettings.unknown(in: environment).map(UnknownSetting.init)
        host = InstanceName.host
    }

    private static func origin(of name: String, _ environment: Environment) -> String {
        switch environment.origin(of: name) {
        case .environment: "environment"
        case .file(let place): place
        case .nowhere: "default"
        }
    }

    /// A key's value is never shown.
    private static func presence(_ name: String, _ environment: Environment) -> Setting {
        let place = [name, "\(name)_FILE"].first { environment[$0] != nil }
        return Setting(name: name, value: place == nil ? nil : "set", origin: origin(of: place ?? name, environment))
    }
}

/// A variable that no program reads; its value may be a secret.
struct UnknownSetting: Sendable, Encodable {
    let name: String
    let suggestion: String?

    init(name: String) {
        self.name = name
        suggestion = KnownSettings.nearest(to: name)
    }

    private enum CodingKeys: CodingKey {
        case name, suggestion
    }

    /// Encodes every key.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(suggestion, forKey: .suggestion)
    }

    var advice: LocalizedText {
        guard let suggestion else {
            return LocalizedText(ko: "알 수 없는 설정입니다. 삭제하세요.", en: "Unknown setting. Remove it.")
        }
        return LocalizedText(ko: "알 수 없는 설정입니다. \(suggestion)인가요?", en: "Unknown setting. Did you mean \(suggestion)?")
    }
}

/// The effective value of a setting and its origin.
struct Setting: Sendable, Equatable {
    let name: String
    /// nil when there is none.
    let value: String?
    /// "option", "environment", "default", or a file and its line.
    let origin: String
}

extension Setting: Encodable {
    private enum CodingKeys: CodingKey {
        case name, value, origin
    }

    /// Encodes every key; a setting without a value has null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(origin, forKey: .origin)
    }
}

extension Presentation {
    /// One line per setting: name, value and origin.
    func settings(_ report: SettingsReport) throws -> Answer {
        if isJSON { return Answer(output: try JSONBytes.encode(report)) }
        let head = [language("이름", "name"), language("값", "value"), language("출처", "from")]
        let rows = report.settings.map { [$0.name, $0.value ?? "-", origin($0.origin)].map(\.printable) }
        let columns = head.indices.map { column in
            TextColumn(
                [TextPiece(head[column], style: style.dim)] + rows.map { TextPiece($0[column]) },
                priority: column == 2 ? 1 : TextColumn.required)
        }
        let table = TextTable(columns, elastic: 1).layout(limit: self.columns, width)
        let unknown = report.unknown.map { "\($0.name.printable): \($0.advice(language))" }
        return Answer(lines: table.lines + (unknown.isEmpty ? [] : [""] + wrapped(unknown).map(style.yellow)))
    }

    private func origin(_ origin: String) -> String {
        switch origin {
        case "option": language("옵션", "option")
        case "environment": language("환경 변수", "environment")
        case "default": language("기본값", "default")
        default: origin
        }
    }
}
