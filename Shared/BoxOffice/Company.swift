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
