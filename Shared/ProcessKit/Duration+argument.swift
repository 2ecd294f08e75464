extension Duration {
    /// Parses a duration: "500ms", "10s", "1.5s", "2m", "1h"; seconds without a unit.
    ///
    /// - Returns: Nil for other text, for a negative duration, and for more than a year.
    public init?(argument text: String) {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
        guard let (unit, seconds) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
        let digits = text.dropLast(unit.count)
        guard digits.wholeMatch(of: /[0-9]{1,9}(\.[0-9]{1,6})?/) != nil, let number = Double(digits),
            number * seconds <= 31_536_000
        else { return nil }
        self = .microseconds(Int64((number * seconds * 1_000_000).rounded()))
    }

    public var wholeMicroseconds: Int {
        Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
    }
}
