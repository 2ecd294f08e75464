/// One page of a search for films.
public struct FilmPage: Codable, Sendable, Equatable {
    /// Films that match on all pages, those included that a filter has taken out of `films`.
    public let total: FilmCount
    /// In the catalogue's order; fewer than a page holds where adult films were left out.
    public let films: [FilmSummary]

    public init(total: FilmCount, films: [FilmSummary]) {
        self.total = total
        self.films = films
    }
}
