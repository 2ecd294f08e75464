import BusSettings
import Envelope
import Localization
import MajordomoBus
import MessageBus
import ProcessKit
import ServiceKit
import TerminalText

/// All settings of the gateway, overridden by the options of one command line; API keys only as set or not set.
struct SettingsReport: Sendable, Encodable {
    let settings: [Setting]

    private enum CodingKeys: CodingKey {
        case settings
    }

    /// - Parameters:
    ///   - broker: the value of `--broker`.
    ///   - language: the value of `--lang`.
    ///   - isColourless: whether `--no-color` is given.
    init(_ environment: Environment, broker: String?, language: Language?, isColourless: Bool) {
        func setting(_ name: String, default fallback: String? = nil, option: String? = nil) -> Setting {
            Setting(
                name: name, value: option ?? environment[name] ?? fallback,
                origin: option == nil ? Self.origin(of: name, environment) : "option")
        }
        // An invalid value is shown unchanged; the command that uses it reports the error.
        let endpoint = try? BusAddress.find(broker, environment).text
        let locale = Language.localeVariables.first { environment[$0] != nil } ?? "LANG"
        settings = [
            Setting(
                name: "BOXOFFICE_CONFIG", value: environment.file,
                origin: environment["BOXOFFICE_CONFIG"] == nil ? "default" : "environment"),
            setting("BOXOFFICE_RUN", default: RunFolder(environment).path),
            Self.withoutSecrets(setting("BOXOFFICE_BROKER", default: endpoint, option: broker)),
            setting("BOXOFFICE_PROTOCOL", default: MajordomoConfiguration.ProtocolVersion.v02.rawValue),
            setting("BOXOFFICE_KEY_FILE"),
            setting("BOXOFFICE_BROKER_KEY_FILE"), setting("BOXOFFICE_CA_FILE"),
            setting("BOXOFFICE_INSECURE", default: "0"),
            setting("BOXOFFICE_STALE_WHILE_REVALIDATE", default: "0"),
            setting("BOXOFFICE_AMBIGUOUS_WIDTH", default: "1"),
            setting(Language.variable, default: Language(environment).rawValue, option: language?.rawValue),
            setting(locale),
            setting("NO_COLOR", option: isColourless ? "1" : nil), setting("FORCE_COLOR"), setting("TERM"),
            Self.presence("KOBIS_API_KEY", environment),
            Self.presence("KAKAO_REST_API_KEY", environment),
        ]
    }

    private static func withoutSecrets(_ address: Setting) -> Setting {
        Setting(name: address.name, value: address.value.map { AddressText($0).description }, origin: address.origin)
    }

    private static func origin(of name: String, _ environment: Environment) -> String {
        switch environment.origin(of: name) {
        case .environment: "environment"
        case .file(let place): place
        case .nowhere: "default"
        }
    }

    /// The fetchers need the keys, this program does not; a key's value is never shown.
    private static func presence(_ name: String, _ environment: Environment) -> Setting {
        let place = [name, "\(name)_FILE"].first { environment[$0] != nil }
        return Setting(name: name, value: place == nil ? nil : "set", origin: origin(of: place ?? name, environment))
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
        let services = language(
            "다른 프로그램의 설정: \(Installation.stack) config",
            "Those of the other programs: \(Installation.stack) config")
        return Answer(lines: table.lines + [""] + wrapped([services]).map(style.dim))
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
