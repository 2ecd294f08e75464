/// The films and cinemas that a chart counts; KOBIS ranks the films among them.
public struct ChartFilter: Codable, Sendable, Hashable {
    public enum Nation: String, Codable, Sendable, CaseIterable {
        case korean, foreign
    }

    /// KOBIS's distinction between diversity films (다양성영화: small and independent releases) and all others.
    public enum Diversity: String, Codable, Sendable, CaseIterable {
        case diverse, commercial
    }

    public static let everything = ChartFilter()

    /// Cinemas of one region; nil for the whole country.
    public var region: Region?
    public var nation: Nation?
    public var diversity: Diversity?

    public init(region: Region? = nil, nation: Nation? = nil, diversity: Diversity? = nil) {
        self.region = region
        self.nation = nation
        self.diversity = diversity
    }

    /// Encodes every key; a criterion that does not restrict the chart is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(region, forKey: .region)
        try container.encode(nation, forKey: .nation)
        try container.encode(diversity, forKey: .diversity)
    }
}
