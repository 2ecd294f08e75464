/// An unbreakable piece of a line: its plain text, which determines its width, and its styled text.
public struct TextPiece: Sendable, Equatable {
    public let text: String
    public let shown: String

    /// - Parameter style: colours the text without changing its width.
    public init(_ text: String, style: (String) -> String = { $0 }) {
        self.text = text
        shown = style(text)
    }
}

extension [TextPiece] {
    /// The pieces as one line, two blanks apart; on a narrow terminal the line continues below, indented.
    ///
    /// - Parameter columns: width of the terminal; nil never breaks.
    public func joined(columns: Int?, indent: Int = 4, _ measure: TextWidth = .narrow) -> String {
        var line = ""
        var width = 0
        for piece in self {
            let own = measure.columns(piece.text)
            if width == 0 {
                line += piece.shown
                width = own
            } else if let columns, width + 2 + own > columns {
                line += "\n" + String(repeating: " ", count: indent) + piece.shown
                width = indent + own
            } else {
                line += "  " + piece.shown
                width += 2 + own
            }
        }
        return line
    }
}
