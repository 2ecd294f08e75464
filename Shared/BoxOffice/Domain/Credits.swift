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

/// An actor of a film, with the role when it is known.
public struct CastMember: Codable, Sendable, Equatable {
    public let name: String
    public let nameEnglish: String?
    public let role: String?

    public init(name: String, nameEnglish: String?, role: String?) {
        self.name = name
        self.nameEnglish = nameEnglish
        self.role = role
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(nameEnglish, forKey: .nameEnglish)
        try container.encode(role, forKey: .role)
    }
}

/// A company and its role in a film; a company with two roles appears twice.
public struct Company: Codable, Sendable, Equatable {
    public let name: String
    /// The role in Korean, in KOBIS's terms: 배급사, 제작사, 수입사, …
    public let part: String

    public init(name: String, part: String) {
        self.name = name
        self.part = part
    }
}
