/// What to look for in the catalogue; without any criterion it is the whole of it.
public struct FilmSearch: Codable, Sendable, Hashable {
    /// Films a page holds at most.
    public static let maxPageSize = 100

    /// Bytes of a title or a name; no film has a longer one.
    public static let maxTextBytes = 300

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
        self.title = Self.given(title)
        self.director = Self.given(director)
        self.productionYears = productionYears
        self.openingYears = openingYears
        self.page = page
        self.pageSize = pageSize
        self.includesAdultFilms = includesAdultFilms
    }

    /// Composed, without blanks around it; nil for nothing but blanks, which would match everything.
    private static func given(_ text: String?) -> String? {
        guard let text, let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(text[first...last]).nfc
    }

    /// Years as people and keys write them: "2019-2021".
    public static func text(_ years: ClosedRange<Int>) -> String { "\(years.lowerBound)-\(years.upperBound)" }
}
