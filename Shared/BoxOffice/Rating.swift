/// One decision about who may watch a film.
public struct Rating: Codable, Sendable, Equatable {
    /// The number of the decision: "2021-MF03006".
    public let number: String?
    /// In Korean: "15세이상관람가". Old grades exist (연소자관람가); empty when KOBIS left it out.
    public let grade: String

    public init(number: String?, grade: String) {
        self.number = number
        self.grade = grade
    }
}
