/// A title for comparison: without case, blanks and punctuation, full-width forms as plain ones, and a Roman numeral at
/// the end as its number.
///
/// People write titles in many ways: '겨울왕국 2', '겨울왕국２', '겨울왕국 Ⅱ' and '겨울왕국 II' have the same key.
public struct TitleKey: Hashable, Sendable {
    public let text: String

    public init(_ title: String) {
        var words: [[Unicode.Scalar]] = [[]]
        for scalar in title.nfc.lowercased().unicodeScalars {
            let plain = Self.plain(scalar)
            if Self.isIgnored(plain) {
                if words.last?.isEmpty == false { words.append([]) }
            } else {
                words[words.count - 1] += Self.numerals[plain].map { Array($0.unicodeScalars) } ?? [plain]
            }
        }
        let texts = words.filter { !$0.isEmpty }.map { String(String.UnicodeScalarView($0)) }
        text = texts.dropLast().joined() + Self.withoutRomanEnd(texts.last ?? "", isOnly: texts.count < 2)
    }

    public var isEmpty: Bool { text.isEmpty }

    /// Whether this is a part of another title.
    public func isPart(of other: TitleKey) -> Bool { other.text.contains(text) }

    /// The full-width form of ASCII as ASCII.
    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(scalar.value), let plain = Unicode.Scalar(scalar.value - 0xFEE0) else {
            return scalar
        }
        // The lower-case letters of the full-width row have their own place.
        return (0x41...0x5A).contains(plain.value) ? Unicode.Scalar(plain.value + 0x20) ?? plain : plain
    }

    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control,
            .format:
            true
        default:
            // Marks that Unicode counts as symbols or letters, but titles use as punctuation.
            scalar.properties.isWhitespace || "~`'|+^ㆍ".unicodeScalars.contains(scalar)
        }
    }

    /// The one-character numerals and circled numbers.
    private static let numerals: [Unicode.Scalar: String] = {
        var numerals: [Unicode.Scalar: String] = [:]
        for number in 1...12 {
            // Ⅰ and ⅰ.
            for base in [0x2160, 0x2170] as [UInt32] {
                if let scalar = Unicode.Scalar(base + UInt32(number) - 1) { numerals[scalar] = "\(number)" }
            }
        }
        for number in 1...20 {
            if let circled = Unicode.Scalar(0x2460 + UInt32(number) - 1) { numerals[circled] = "\(number)" }
        }
        return numerals
    }()

    private static let romans = [
        "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8", "ix": "9",
    ]

    /// A last word of Roman letters counts as a number; "X" or "I" may be a word.
    ///
    /// - Parameter isOnly: whether it is the whole title.
    private static func withoutRomanEnd(_ word: String, isOnly: Bool) -> String {
        if !isOnly, let number = romans[word] { return number }
        // After Hangul no blank is needed: '겨울왕국II'.
        let end = String(word.reversed().prefix { "ivx".contains($0) }.reversed())
        let rest = word.dropLast(end.count)
        guard let number = romans[end], let last = rest.unicodeScalars.last, last.value >= 0x1100 else { return word }
        return rest + number
    }
}
