/// Somebody who plays in a film, with the role when it is known.
public struct CastMember: Codable, Sendable, Equatable {
    public let name: String
    public let nameEnglish: String?
    public let role: String?

    public init(name: String, nameEnglish: String?, role: String?) {
        self.name = name
        self.nameEnglish = nameEnglish
        self.role = role
    }
}
