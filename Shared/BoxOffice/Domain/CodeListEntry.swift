/// A code of KOBIS's code lists with its name: a region, a nation, a type of film.
public struct CodeListEntry: Codable, Sendable, Equatable {
    public let code: String
    public let name: String
    /// Absent in lists without English names, such as the list of regions.
    public let nameEnglish: String?

    public init(code: String, name: String, nameEnglish: String? = nil) {
        self.code = code
        self.name = name
        self.nameEnglish = nameEnglish
    }
}
