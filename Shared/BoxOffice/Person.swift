/// A director of a film.
public struct Person: Codable, Sendable, Equatable {
    public let name: String
    public let nameEnglish: String?

    public init(name: String, nameEnglish: String?) {
        self.name = name
        self.nameEnglish = nameEnglish
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(nameEnglish, forKey: .nameEnglish)
    }
}
