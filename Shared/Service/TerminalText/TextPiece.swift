/// A piece of a line, which is broken only if it is wider than a line: its plain text, which determines its width, and
/// its styled text.
public struct TextPiece: Sendable, Equatable {
    public let text: String
    public let styled: String

    /// - Parameter style: colours the text without changing its width.
    public init(_ text: String, style: (String) -> String = { $0 }) {
        self.text = text
        styled = style(text)
    }

    /// The piece in at most that many columns, with an ellipsis if text is cut; its styles stay around the rest.
    public func cut(to columns: Int, _ width: TextWidth) -> TextPiece {
        let rest = width.prefix(text, columns: columns)
        guard rest != text else { return self }
        guard let place = styled.ranges(of: text).last else { return TextPiece(rest) }
        return TextPiece(rest) { _ in String(styled[..<place.lowerBound]) + rest + styled[place.upperBound...] }
    }

    /// The piece in parts of at most that many columns, broken at blanks where there are any; each has its styles.
    func broken(at columns: Int, _ width: TextWidth) -> [TextPiece] {
        guard width.columns(text) > columns, let place = styled.ranges(of: text).last else { return [self] }
        return width.wrap(text, columns: columns).flatMap { width.parts($0, columns: columns) }.map { part in
            TextPiece(part) { _ in String(styled[..<place.lowerBound]) + part + styled[place.upperBound...] }
        }
    }
}

extension [TextPiece] {
    /// The pieces as one line, two blanks apart; on a narrow terminal the line continues below, indented.
    ///
    /// - Parameter columns: width of the terminal; nil never breaks.
    public func joined(columns: Int?, indent: Int = 4, _ measure: TextWidth = .narrow) -> String {
        var line = ""
        var width = 0
        // At least half of a narrow terminal remains.
        let indent = columns.map { Swift.min(indent, $0 / 2) } ?? indent
        let pieces =
            columns.map { limit in
                enumerated().flatMap { index, piece in
                    index == 0 && measure.columns(piece.text) <= limit
                        ? [piece] : piece.broken(at: Swift.max(1, limit - indent), measure)
                }
            } ?? self
        for piece in pieces {
            let own = measure.columns(piece.text)
            if width == 0 {
                line += piece.styled
                width = own
            } else if let columns, width + 2 + own > columns {
                line += "\n" + String(repeating: " ", count: indent) + piece.styled
                width = indent + own
            } else {
                line += "  " + piece.styled
                width += 2 + own
            }
        }
        return line
    }
}
