public import ServiceKit

/// Whether text is coloured, and how.
public struct TextStyle: Sendable {
    let isColoured: Bool

    /// Colour goes to a terminal that knows it; `FORCE_COLOR` sends it anywhere, `NO_COLOR` and `--no-color` nowhere.
    public init(isTerminal: Bool, isUnwanted: Bool, _ environment: Environment) {
        if isUnwanted || environment["NO_COLOR"] != nil {
            isColoured = false
        } else {
            isColoured = environment["FORCE_COLOR"] != nil || (isTerminal && environment["TERM"] != "dumb")
        }
    }

    func red(_ text: String) -> String { wrapped(text, code: 31) }
    func blue(_ text: String) -> String { wrapped(text, code: 34) }
    func dim(_ text: String) -> String { wrapped(text, code: 2) }

    private func wrapped(_ text: String, code: Int) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
