public import ServiceKit

/// Whether text is coloured, and how.
public struct TextStyle: Sendable {
    let isColoured: Bool

    /// Colour goes to a terminal, unless it is unwanted there; `FORCE_COLOR` sends it anywhere.
    public init(isTerminal: Bool, isUnwanted: Bool, _ environment: Environment) {
        if isUnwanted || environment["NO_COLOR"] != nil || environment["TERM"] == "dumb" {
            isColoured = false
        } else {
            isColoured = isTerminal || environment["FORCE_COLOR"] != nil
        }
    }

    func red(_ text: String) -> String { wrapped(text, code: 31) }
    func blue(_ text: String) -> String { wrapped(text, code: 34) }
    func dim(_ text: String) -> String { wrapped(text, code: 2) }

    private func wrapped(_ text: String, code: Int) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
