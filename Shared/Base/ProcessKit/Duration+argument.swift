extension Duration {
    /// Parses a duration: "500ms", "10s", "1.5s", "2m", "1h"; seconds without a unit.
    ///
    /// - Returns: Nil for other text, for a negative duration, and for more than a year.
    public init?(argument text: String) {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
        guard let (unit, seconds) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
        let digits = text.dropLast(unit.count)
        // Every command parses a duration when it starts: a regular expression takes longer than the rest of the parsing.
        let parts = digits.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, (1...9).contains(parts[0].count), parts.count == 1 || (1...6).contains(parts[1].count),
            parts.joined().allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let number = Double(digits),
            number * seconds <= 31_536_000
        else { return nil }
        self = .microseconds(Int64((number * seconds * 1_000_000).rounded()))
    }

    public var wholeMicroseconds: Int {
        Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    }
}
