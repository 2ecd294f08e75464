/// Where a film comes from, as far as its detail says.
public enum NationGroup: String, Codable, Sendable, CaseIterable {
    case korean, foreign
    /// KOBIS lists Korea and another country.
    case coproduction
    /// The detail is not archived, or lists no country.
    case unknown

    /// The name of Korea in KOBIS's lists.
    public static let korea = "한국"

    /// - Parameter nations: as KOBIS lists them; nil without a detail.
    public init(_ nations: [String]?) {
        guard let nations, !nations.isEmpty else {
            self = .unknown
            return
        }
        switch (nations.contains(Self.korea), nations.allSatisfy { $0 == Self.korea }) {
        case (_, true): self = .korean
        case (true, false): self = .coproduction
        case (false, _): self = .foreign
        }
    }
}
