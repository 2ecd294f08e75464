/// A code of KOBIS's lists with its name: a region, a nation, a type of film.
public struct CodeListEntry: Codable, Sendable, Equatable {
    public let code: String
    public let name: String
    /// Absent in the lists that have no English names, as that of the regions.
    public let nameEnglish: String?

    public init(code: String, name: String, nameEnglish: String? = nil) {
        self.code = code
        self.name = name
        self.nameEnglish = nameEnglish
    }
}
