public import ProcessKit

/// Width of text in terminal columns: Hangul, Han, kana and full-width forms take two, combining marks none.
public struct TextWidth: Sendable, Equatable {
    /// Whether glyphs of ambiguous width in Unicode, such as ▲ · … ─, take two columns.
    public let isAmbiguousWide: Bool

    /// The setting of almost all terminals.
    public static let narrow = TextWidth(isAmbiguousWide: false)

    public init(isAmbiguousWide: Bool) {
        self.isAmbiguousWide = isAmbiguousWide
    }

    /// Reads `BOXOFFICE_AMBIGUOUS_WIDTH`: 1 or 2.
    public init(_ environment: Environment) throws {
        isAmbiguousWide = try environment.number("BOXOFFICE_AMBIGUOUS_WIDTH", default: 1, in: 1...2) == 2
    }

    public func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    public func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(text)))
    }

    /// The longest prefix that fits, with an ellipsis if text is cut; empty if not even the ellipsis fits.
    public func prefix(_ text: String, columns limit: Int) -> String {
        guard columns(text) > limit else { return text }
        let ellipsis = columns("…")
        guard ellipsis <= limit else { return "" }
        var width = ellipsis
        let kept = text.prefix { character in
            width += columns(character)
            return width <= limit
        }
        return kept + "…"
    }

    /// The text in lines that are broken at blanks; a word that is wider than a line has a line of its own.
    ///
    /// - Parameters:
    ///   - limit: columns of a line; nil for one line.
    ///   - indent: blanks before each line but the first.
    public func wrap(_ text: String, columns limit: Int?, indent: Int = 0) -> [String] {
        guard let limit, columns(text) > limit else { return [text] }
        // Blanks at the beginning of the text, and those that align columns, are part of the following word.
        var words: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            let blanks = rest.prefix { $0 == " " }
            let word = rest[blanks.endIndex...].prefix { $0 != " " }
            words.append(rest[..<word.endIndex])
            rest = rest[word.endIndex...]
        }
        var lines: [String] = []
        var line = ""
        for word in words {
            if line.contains(where: { $0 != " " }), columns(line) + columns(String(word)) > limit {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word.drop { $0 == " " }
            } else {
                line += word
            }
        }
        return line.contains { $0 != " " } ? lines + [line] : lines
    }

    /// An indented line as `wrap` breaks it, continued with two more blanks. It is indented less where a word would not
    /// fit beside the blanks.
    public func wrapIndented(_ line: String, columns limit: Int?) -> [String] {
        guard let limit, columns(line) > limit else { return [line] }
        let text = line.drop { $0 == " " }
        let longest = text.split(separator: " ").map { columns(String($0)) }.max() ?? 0
        let blanks = max(0, min(line.count - text.count, limit - longest - 2))
        return wrap(String(repeating: " ", count: blanks) + text, columns: limit, indent: blanks + 2)
    }

    /// The text in parts of at most that many columns, broken anywhere.
    func parts(_ text: String, columns limit: Int) -> [String] {
        var parts: [String] = []
        var part = ""
        var width = 0
        for character in text {
            let own = columns(character)
            if !part.isEmpty, width + own > limit {
                parts.append(part)
                (part, width) = ("", 0)
            }
            part.append(character)
            width += own
        }
        return parts + [part]
    }

    private func columns(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        // Ranges of East Asian Width W and F (Unicode 15, EastAsianWidth.txt), as blocks; emoji are wide by their
        // property.
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            2
        // Hangul vowels and finals join the syllable before them, even a missing one.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: 0
        default:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: 0
            // The soft hyphen is the only invisible character that takes a column.
            case .format: scalar.value == 0xAD ? 1 : 0
            default: isWide(scalar, in: character) ? 2 : 1
            }
        }
    }

    private func isWide(_ scalar: Unicode.Scalar, in character: Character) -> Bool {
        // U+FE0F selects the emoji presentation, if there is one, for example of ☎.
        scalar.properties.isEmojiPresentation
            || (scalar.properties.isEmoji && character.unicodeScalars.contains { $0.value == 0xFE0F })
            || (isAmbiguousWide && Self.isAmbiguous(scalar))
    }
}
