public import Contracts
public import Domain
public import Envelope

/// A film of a chart or of the catalogue that matches a user's reference.
public struct FilmCandidate: Encodable, Sendable, Equatable {
    public let code: String
    public let title: String
    public let openingDay: Day?
    /// "2007" or "2007-05", when no day is known.
    public let openingText: String?
    /// Where the chart or the catalogue came from; an answer of candidates has the least genuine one.
    let source: DataSource

    public init(_ entry: ChartEntry, from source: DataSource) {
        self.source = source
        code = entry.code
        title = entry.title
        openingDay = entry.openingDay
        openingText = nil
    }

    public init(_ film: FilmSummary, from source: DataSource) {
        self.source = source
        code = film.code
        title = film.title
        openingDay = film.openingDay
        openingText = film.openingText
    }

    private enum CodingKeys: CodingKey {
        case code, title, openingDay, openingText
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(title, forKey: .title)
        try container.encode(openingDay, forKey: .openingDay)
        try container.encode(openingText, forKey: .openingText)
    }

    public init(_ film: ArchiveTitlesReply.Film, from source: DataSource) {
        self.source = source
        code = film.code
        title = film.title
        openingDay = film.openingDay
        openingText = nil
    }

    /// The films with exactly this title, as `TitleKey` compares them, each once.
    static func titled(_ title: String, among films: [FilmCandidate]) -> [FilmCandidate] {
        matching(title, among: films) { $0 == $1 }
    }

    /// The films whose titles contain this one, each once.
    static func containing(_ title: String, among films: [FilmCandidate]) -> [FilmCandidate] {
        matching(title, among: films) { $1.isPart(of: $0) }
    }

    private static func matching(
        _ title: String, among films: [FilmCandidate], _ isMatch: (_ title: TitleKey, _ wanted: TitleKey) -> Bool
    ) -> [FilmCandidate] {
        let wanted = TitleKey(title)
        guard !wanted.isEmpty else { return [] }
        var seen: Set<String> = []
        return films.filter { isMatch(TitleKey($0.title), wanted) && seen.insert($0.code).inserted }
    }
}

/// The films that match a reference, as far as they are known.
public struct FilmCandidates: Sendable {
    public let films: [FilmCandidate]
    /// The number of films that match, including those that were not fetched.
    public let total: Int

    public init(_ films: [FilmCandidate], total: Int = 0) {
        self.films = films
        self.total = max(films.count, total)
    }

    /// The least genuine source of the films; nil without films.
    public var source: DataSource? { films.map(\.source).min() }

    /// The film when exactly one matches.
    public var only: FilmCandidate? { total == 1 ? films.first : nil }
}
