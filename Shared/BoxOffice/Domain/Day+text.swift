extension Day: CustomStringConvertible, LosslessStringConvertible {
    /// "2022-01-05": the form for users, JSON and cache keys.
    public var iso: String {
        let (year, month, day) = components
        // Each row of a long answer has two days: digits in place cost a tenth of interpolated numbers.
        return String(unsafeUninitializedCapacity: 10) { text in
            func write(_ number: Int, at first: Int, digits: Int) {
                var rest = number
                for index in stride(from: first + digits - 1, through: first, by: -1) {
                    text.initializeElement(at: index, to: UInt8(ascii: "0") + UInt8(rest % 10))
                    rest /= 10
                }
            }
            write(year, at: 0, digits: 4)
            text.initializeElement(at: 4, to: UInt8(ascii: "-"))
            write(month, at: 5, digits: 2)
            text.initializeElement(at: 7, to: UInt8(ascii: "-"))
            write(day, at: 8, digits: 2)
            return 10
        }
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
        var text = text
        guard let day = text.withUTF8({ Day(iso: $0) }) else { return nil }
        self = day
    }

    /// Parses only the form "2022-01-05".
    public init?(iso text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let year = Self.number(text[0..<4]), let month = Self.number(text[5..<7]),
            let day = Self.number(text[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Parses only the form "20220105".
    public init?(compact text: String) {
        var text = text
        let parts = text.withUTF8 { text -> (year: Int, month: Int, day: Int)? in
            guard text.count == 8, let year = Self.number(text[0..<4]), let month = Self.number(text[4..<6]),
                let day = Self.number(text[6..<8])
            else { return nil }
            return (year, month, day)
        }
        guard let (year, month, day) = parts else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Nil unless all are digits.
    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var number = 0
        for digit in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
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
