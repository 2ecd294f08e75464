public import Domain

/// Requests a page of KOBIS's catalogue from detail-fetcher; the reply's payload is a `FilmPage`, which is empty when
/// nothing matches.
public struct FilmSearchRequest: PartRequest, Equatable {
    public static let service = ServiceName.detailFetcher
    public static let kind = "movie.search"
    public static let kinds = [kind]

    public let search: FilmSearch
    /// Searches even if a fresh result is stored.
    public let isRefresh: Bool

    public init(_ search: FilmSearch, isRefresh: Bool) {
        self.search = search
        self.isRefresh = isRefresh
    }

    public var kind: String { Self.kind }

    public var cacheKey: String {
        CacheKey.make(
            kind,
            [
                ("title", search.title), ("director", search.director),
                ("opened", search.openingYears.map(FilmSearch.text)),
                ("produced", search.productionYears.map(FilmSearch.text)), ("page", search.page.description),
                ("size", search.pageSize.description), ("adult", search.includesAdultFilms ? "yes" : nil),
            ])
    }
}
