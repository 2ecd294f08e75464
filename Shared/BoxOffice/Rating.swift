/// One rating decision for a film.
public struct Rating: Codable, Sendable, Equatable {
    /// The number of the decision: "2021-MF03006".
    public let number: String?
    /// In Korean: "15세이상관람가". Old grades exist (연소자관람가); empty when KOBIS omitted it.
    public let grade: String

    public init(number: String?, grade: String) {
        self.number = number
        self.grade = grade
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
        try container.encode(grade, forKey: .grade)
    }
}

extension [Rating] {
    /// The grade in force: the grade of the last rating that has one.
    public var currentGrade: String? {
        last { !$0.grade.isEmpty }?.grade
    }
}
