package import Domain

/// Decoding of answers of KOBIS and Kakao: scalars are strings or numbers, unknown values are blank.
///
/// Required members throw when they are missing or unreadable. Optional members become nil: one malformed date must not
/// make a whole chart unreadable.
extension KeyedDecodingContainer {
    /// Trimmed and composed (NFC); nil when missing, null or blank.
    package func textIfKnown(_ key: Key) throws -> String? {
        guard let text = try decodeIfPresent(WireScalar.self, forKey: key)?.text.trimmed, !text.isEmpty else {
            return nil
        }
        return text.nfc
    }

    package func text(_ key: Key) throws -> String {
        guard let text = try textIfKnown(key) else {
            throw unreadable(key, "it is missing or blank")
        }
        return text
    }

    package func integerIfKnown<Number: FixedWidthInteger>(_ key: Key) throws -> Number? {
        try textIfKnown(key).flatMap { Number($0) }
    }

    package func integer<Number: FixedWidthInteger>(_ key: Key) throws -> Number {
        let text = try text(key)
        guard let number = Number(text) else {
            throw unreadable(key, "\"\(text)\" is no whole number of \(Number.bitWidth) bits")
        }
        return number
    }

    package func decimal(_ key: Key) throws -> Double {
        let text = try text(key)
        // Without the first test "nan", "inf" and "0x1p4" would be accepted.
        guard text.utf8.allSatisfy("+-.0123456789eE".utf8.contains), let number = Double(text), number.isFinite else {
            throw unreadable(key, "\"\(text)\" is no decimal number")
        }
        return number
    }

    /// A day in one of the two forms of KOBIS, "2022-01-05" and "20220105"; nil for the single space that means no day.
    package func dayIfKnown(_ key: Key) throws -> Day? {
        try textIfKnown(key).flatMap { Day(iso: $0) ?? Day(compact: $0) }
    }

    /// "2007" or "2007-05" of a date without a day: "2007", "200705", "2007-05" or "20070500"; nil for any other text.
    package func yearOrMonthIfKnown(_ key: Key) throws -> String? {
        guard let text = try textIfKnown(key), try dayIfKnown(key) == nil,
            let date = text.wholeMatch(of: /(\d{4})(?:-?(\d{2})(?:-?00)?)?/.asciiOnlyDigits()), date.1 != "0000"
        else { return nil }
        guard let month = date.2, month != "00" else { return String(date.1) }
        return ("01"..."12").contains(month) ? "\(date.1)-\(month)" : nil
    }

    /// The words of a comma-separated text, "한국,미국"; empty when it is missing or blank.
    package func words(_ key: Key) throws -> [String] {
        try textIfKnown(key)?.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty } ?? []
    }

    /// The elements of a list; empty when it is missing or null.
    package func list<Element: Decodable>(_ key: Key, of type: Element.Type = Element.self) throws -> [Element] {
        try decodeIfPresent([Element].self, forKey: key) ?? []
    }

    package func unreadable(_ key: Key, _ reason: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: reason)
    }
}
