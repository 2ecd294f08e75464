/// One page of a search for films.
public struct FilmPage: Codable, Sendable, Equatable {
    /// The number of matches on all pages, including films that a filter removed from `films`.
    public let total: FilmCount
    /// In the catalogue's order; fewer than the page size when adult films were removed.
    public let films: [FilmSummary]

    public init(total: FilmCount, films: [FilmSummary]) {
        self.total = total
        self.films = films
    }
}
