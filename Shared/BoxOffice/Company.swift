/// A company and one part that it had in a film; a company with two parts appears twice.
public struct Company: Codable, Sendable, Equatable {
    public let name: String
    /// In Korean, as KOBIS names it: 배급사, 제작사, 수입사, …
    public let part: String

    public init(name: String, part: String) {
        self.name = name
        self.part = part
    }
}
