/// Somebody who directed a film.
public struct Person: Codable, Sendable, Equatable {
    public let name: String
    public let nameEnglish: String?

    public init(name: String, nameEnglish: String?) {
        self.name = name
        self.nameEnglish = nameEnglish
    }
}
