extension Day: CustomStringConvertible, LosslessStringConvertible {
    /// "2022-01-05": the form for users, JSON and cache keys.
    public var iso: String {
        let (year, month, day) = components
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }

    /// "20220105": the form in KOBIS requests and film records.
    public var compact: String {
        iso.filter { $0 != "-" }
    }

    public var description: String { iso }

    public init?(_ description: String) {
        self.init(iso: description)
    }

    /// Parses only the form "2022-01-05".
    public init?(iso text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2] else { return nil }
        self.init(digits: parts.flatMap { $0 })
    }

    /// Parses only the form "20220105".
    public init?(compact text: String) {
        guard text.utf8.count == 8 else { return nil }
        self.init(digits: Array(text.utf8))
    }

    private init?(digits: [UInt8]) {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        func number(_ range: Range<Int>) -> Int {
            digits[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        self.init(year: number(0..<4), month: number(4..<6), day: number(6..<8))
    }
}

private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension Day: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = Day(iso: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not yyyy-MM-dd")
        }
        self = day
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso)
    }
}
