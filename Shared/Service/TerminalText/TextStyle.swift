public import ProcessKit

/// Styles for coloured text.
public struct TextStyle: Sendable {
    public let isColoured: Bool
    /// Whether the terminal makes text clickable (OSC 8).
    public let hasLinks: Bool

    /// Without any colour.
    public static let plain = TextStyle(isColoured: false, hasLinks: false)

    private init(isColoured: Bool, hasLinks: Bool) {
        self.isColoured = isColoured
        self.hasLinks = hasLinks
    }

    /// Colour on terminals that support it. `--no-color` and `NO_COLOR` decide first, then `FORCE_COLOR`, then
    /// `CLICOLOR_FORCE`, then `CLICOLOR`; of the last three 0 and false mean no.
    public init(isTerminal: Bool, isUnwanted: Bool, _ environment: Environment) {
        hasLinks = Self.hasLinks(isTerminal: isTerminal, environment)
        func choice(_ name: String) -> Bool? { environment[name].map { !["0", "false"].contains($0.lowercased()) } }
        let isForced = choice("FORCE_COLOR") ?? (choice("CLICOLOR_FORCE") == true ? true : nil)
        let isPossible = isTerminal && environment["TERM"] != "dumb" && choice("CLICOLOR") != false
        isColoured = !isUnwanted && environment["NO_COLOR"] == nil && (isForced ?? isPossible)
    }

    /// Whether the terminal says by a variable that it knows links: there is no query for them. `FORCE_HYPERLINK`
    /// decides when it is set: 0 for none.
    private static func hasLinks(isTerminal: Bool, _ environment: Environment) -> Bool {
        if let forced = environment["FORCE_HYPERLINK"] { return forced != "0" }
        // A multiplexer passes links on only in some configurations.
        guard isTerminal, environment["TERM"] != "dumb", environment["TMUX"] == nil, environment["STY"] == nil else {
            return false
        }
        // VTE knows links since 0.50.
        if let version = environment["VTE_VERSION"].flatMap({ Int($0) }) { return version >= 5000 }
        let programs = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio"]
        let terms = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "foot-extra", "contour", "wezterm"]
        return environment["TERM_PROGRAM"].map(programs.contains) == true
            || environment["TERM"].map(terms.contains) == true
            || ["WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "DOMTERM"].contains { environment[$0] != nil }
    }

    /// A text that opens an address when it is clicked; unchanged for an address that could control the terminal.
    public func link(_ text: String, to address: String) -> String {
        guard hasLinks, address.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return text }
        return "\u{1B}]8;;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
    }

    public func red(_ text: String) -> String { wrapped(text, code: 31) }
    public func green(_ text: String) -> String { wrapped(text, code: 32) }
    public func yellow(_ text: String) -> String { wrapped(text, code: 33) }
    public func blue(_ text: String) -> String { wrapped(text, code: 34) }
    public func cyan(_ text: String) -> String { wrapped(text, code: 36) }
    public func bold(_ text: String) -> String { wrapped(text, code: 1) }
    public func dim(_ text: String) -> String { wrapped(text, code: 2) }

    private func wrapped(_ text: String, code: Int) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
