import Localization
import MessageBus
public import ProcessKit
import ServiceKit
import TerminalText

/// All settings of the gateway, with the options of one command line above them; of a key only whether there is one.
public struct SettingsReport: Sendable, Encodable {
    let settings: [Setting]

    private enum CodingKeys: CodingKey {
        case settings
    }

    /// - Parameters:
    ///   - broker: as `--broker` names it.
    ///   - language: as `--lang` names it.
    ///   - isColourless: whether `--no-color` is given.
    public init(_ environment: Environment, broker: String?, language: String?, isColourless: Bool) {
        func setting(_ name: String, default fallback: String? = nil, option: String? = nil) -> Setting {
            Setting(
                name: name, value: option ?? environment[name] ?? fallback,
                origin: option == nil ? Self.origin(of: name, environment) : "option")
        }
        // What cannot be is shown as it is: the command that uses it says why.
        let endpoint = try? BusEndpoints.find(broker, environment).requests
        let locale = Language.variables.first { environment[$0] != nil }
        settings = [
            Setting(
                name: "BOXOFFICE_CONFIG", value: environment.file,
                origin: environment["BOXOFFICE_CONFIG"] == nil ? "default" : "environment"),
            setting("BOXOFFICE_RUN", default: RunFolder(environment).path),
            setting("BOXOFFICE_BROKER", default: endpoint, option: broker),
            setting("BOXOFFICE_PROTOCOL", default: BusConfiguration.ProtocolVersion.v02.rawValue),
            setting("BOXOFFICE_KEY_FILE"),
            setting("BOXOFFICE_BROKER_KEY_FILE"), setting("BOXOFFICE_INSECURE", default: "0"),
            setting("BOXOFFICE_STALE_WHILE_REVALIDATE", default: "0"),
            setting("BOXOFFICE_AMBIGUOUS_WIDTH", default: "1"),
            Setting(
                name: locale ?? "LANG", value: language ?? Language(environment).rawValue,
                origin: language != nil ? "option" : locale == nil ? "default" : "environment"),
            setting("NO_COLOR", option: isColourless ? "1" : nil), setting("FORCE_COLOR"), setting("TERM"),
            Self.presence("KOBIS_API_KEY", environment),
            Self.presence("KAKAO_REST_API_KEY", environment),
        ]
    }

    private static func origin(of name: String, _ environment: Environment) -> String {
        switch environment.origin(of: name) {
        case .environment: "environment"
        case .file(let place): place
        case .nowhere: "default"
        }
    }

    /// The fetchers need the keys, this program does not; none is ever shown.
    private static func presence(_ name: String, _ environment: Environment) -> Setting {
        let place = [name, "\(name)_FILE"].first { environment[$0] != nil }
        return Setting(name: name, value: place == nil ? nil : "set", origin: origin(of: place ?? name, environment))
    }
}
