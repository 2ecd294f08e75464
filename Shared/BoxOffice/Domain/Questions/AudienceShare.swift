/// The admissions of the ten films of each chart of a period, by where the films come from.
public struct AudienceShare: Codable, Sendable, Equatable {
    public let first: Day
    public let last: Day
    /// The number of its days whose charts are known.
    public let knownDays: Int
    /// How many of them KOBIS may still correct.
    public let provisionalDays: Int
    public let korean: Int
    public let foreign: Int
    public let coproduction: Int
    public let unknown: Int

    public init(
        _ days: ClosedRange<Day>, knownDays: Int, provisionalDays: Int, korean: Int, foreign: Int, coproduction: Int,
        unknown: Int
    ) {
        first = days.lowerBound
        last = days.upperBound
        self.knownDays = knownDays
        self.provisionalDays = provisionalDays
        self.korean = korean
        self.foreign = foreign
        self.coproduction = coproduction
        self.unknown = unknown
    }

    public subscript(group: NationGroup) -> Int {
        switch group {
        case .korean: korean
        case .foreign: foreign
        case .coproduction: coproduction
        case .unknown: unknown
        }
    }

    // A message may contain any number: the sum wraps instead of trapping.

    /// Of the ten.
    public var audience: Int { korean &+ foreign &+ coproduction &+ unknown }

    /// Percent of the ten, rounded to one decimal; nil without admissions.
    public func percent(_ group: NationGroup) -> Double? {
        audience > 0 ? (Double(self[group]) / Double(audience) * 1000).rounded() / 10 : nil
    }

    public var isComplete: Bool { knownDays == last.days(since: first) + 1 && provisionalDays == 0 }
}
