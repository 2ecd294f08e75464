extension String {
    /// The text for one line of a terminal: characters that would end the line, control the terminal, reorder the line or
    /// take no room are shown as escapes.
    ///
    /// For all external text: film titles, names, events of other processes.
    public var printable: String {
        guard mayBeUnprintable, unicodeScalars.contains(where: { !$0.isPrintable }) else { return self }
        return unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.isPrintable {
                result.unicodeScalars.append(scalar)
            } else {
                result += scalar.escaped(asASCII: true)
            }
        }
    }

    /// The text for a page or a feed: without the characters that XML forbids, that control or reorder, or that cannot be
    /// seen. Tabs and line ends stay.
    public var withoutControls: String {
        guard mayBeUnprintable else { return self }
        let kept = unicodeScalars.filter { $0.isPrintable || [0x09, 0x0A, 0x0D].contains($0.value) }
        return kept.count == unicodeScalars.count ? self : String(String.UnicodeScalarView(kept))
    }

    /// False in the usual case: these bytes begin few characters, and no Hangul. Categories of scalars take 50 times as long.
    private var mayBeUnprintable: Bool {
        utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xD8 || $0 == 0xE2 || $0 >= 0xEF }
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        // Marks of direction would reorder the line. The joiners of scripts and of emoji stay.
        case .format: !(properties.isBidiControl || [0x200B, 0x2060, 0xFEFF].contains(value))
        case .unassigned: !properties.isNoncharacterCodePoint
        default: true
        }
    }
}
