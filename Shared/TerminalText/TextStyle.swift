public import ProcessKit

/// Styles for coloured text.
public struct TextStyle: Sendable {
    public let isColoured: Bool

    /// Without any colour.
    public static let plain = TextStyle(isColoured: false)

    private init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    /// Colour on terminals that support it; always with `FORCE_COLOR`, never with `NO_COLOR` or `--no-color`.
    public init(isTerminal: Bool, isUnwanted: Bool, _ environment: Environment) {
        if isUnwanted || environment["NO_COLOR"] != nil {
            isColoured = false
        } else {
            isColoured = environment["FORCE_COLOR"] != nil || (isTerminal && environment["TERM"] != "dumb")
        }
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
