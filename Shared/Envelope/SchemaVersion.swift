/// The version of all that processes tell each other (headers, contracts, events), "major.minor": minors add fields and
/// words, majors break.
///
/// `Tests/Vectors` keeps the messages of each version that was released, and those of this one.
public struct SchemaVersion: Codable, Sendable, Hashable, CustomStringConvertible {
    public static let current = SchemaVersion(major: 1, minor: 0)

    public let major: Int
    public let minor: Int

    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    public var description: String { "\(major).\(minor)" }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // Int() alone would read a sign, too.
        let numbers = parts.compactMap { part in part.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(part) : nil }
        guard parts.count == 2, numbers.count == 2 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not major.minor")
        }
        self.init(major: numbers[0], minor: numbers[1])
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
