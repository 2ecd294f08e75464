/// Columns that a text takes in a terminal: Hangul, Han, kana and full-width forms take two, combining marks none.
public enum TextWidth {
    public static func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    public static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(text)))
    }

    /// As much of the beginning as fits, with an ellipsis in the place of what does not.
    public static func prefix(_ text: String, columns limit: Int) -> String {
        guard columns(text) > limit else { return text }
        var width = 0
        let kept = text.prefix { character in
            width += columns(character)
            return width < limit
        }
        return kept + "…"
    }

    private static func columns(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        // Ranges of East Asian Width W and F (Unicode 15, EastAsianWidth.txt), as blocks; emoji are wide by their property.
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            2
        default:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: 0
            // The soft hyphen is the one invisible character that terminals give a column.
            case .format: scalar.value == 0xAD ? 1 : 0
            default: scalar.properties.isEmojiPresentation ? 2 : 1
            }
        }
    }
}
