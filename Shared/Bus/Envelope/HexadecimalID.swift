internal import FlatJSON

/// The number of a query or of a call; in JSON, 16 hexadecimal digits in lower case.
public struct HexadecimalID: RawRepresentable, Codable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Nil for another text than 16 digits.
    init?(_ text: ArraySlice<UInt8>) {
        guard text.count == 16, let number = UInt64(hexadecimalDigits: text) else { return nil }
        rawValue = number
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = HexadecimalID(Array(try container.decode(String.self).utf8)[...]) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not 16 hexadecimal digits")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    public var description: String { rawValue.hexadecimal }
}
