/// What to look for in the catalogue; without any criterion it is the whole of it.
public struct FilmSearch: Codable, Sendable, Hashable {
    /// Films a page holds at most.
    public static let maxPageSize = 100

    /// Part of the Korean title.
    public var title: String?
    /// Part of a director's name.
    public var director: String?
    public var productionYears: ClosedRange<Int>?
    public var openingYears: ClosedRange<Int>?
    /// From 1 on.
    public var page: Int
    /// 1...`maxPageSize`.
    public var pageSize: Int
    public var includesAdultFilms: Bool

    public init(
        title: String? = nil, director: String? = nil, productionYears: ClosedRange<Int>? = nil,
        openingYears: ClosedRange<Int>? = nil, page: Int = 1, pageSize: Int = maxPageSize,
        includesAdultFilms: Bool = false
    ) {
        self.title = title
        self.director = director
        self.productionYears = productionYears
        self.openingYears = openingYears
        self.page = page
        self.pageSize = pageSize
        self.includesAdultFilms = includesAdultFilms
    }
}
