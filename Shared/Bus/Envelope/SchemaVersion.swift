/// The version of all messages between processes (headers, contracts, events), "major.minor": a minor version adds
/// fields and values, a major version is incompatible.
///
/// `Tests/Support/Vectors` contains the messages of each released version and of this version.
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
        // Int() alone would also accept a sign.
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
