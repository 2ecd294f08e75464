/// The criteria of a search in the catalogue; without criteria all films match.
public struct FilmSearch: Codable, Sendable, Hashable {
    /// The maximum number of bytes of a title or a name; no film has a longer one.
    public static let maxTextBytes = 300
    /// The films of a page unless the reader wants another number.
    public static let usualPageSize: PageSize = 20

    /// Part of the Korean title.
    public var title: String?
    /// Part of a director's name.
    public var director: String?
    public var productionYears: ClosedRange<Year>?
    public var openingYears: ClosedRange<Year>?
    public var page: PageNumber
    public var pageSize: PageSize
    public var includesAdultFilms: Bool

    public init(
        title: String? = nil, director: String? = nil, productionYears: ClosedRange<Year>? = nil,
        openingYears: ClosedRange<Year>? = nil, page: PageNumber = 1, pageSize: PageSize = 100,
        includesAdultFilms: Bool = false
    ) {
        self.title = Self.normalized(title)
        self.director = Self.normalized(director)
        self.productionYears = productionYears
        self.openingYears = openingYears
        self.page = page
        self.pageSize = pageSize
        self.includesAdultFilms = includesAdultFilms
    }

    /// Whether the title is in another script than Hangul, which the catalogue's titles are in: it has two letters in
    /// succession, and not only a number as "1987" or a name as "F1".
    public var hasForeignTitle: Bool {
        guard let scalars = title?.unicodeScalars, !scalars.contains(where: { (0xAC00...0xD7A3).contains($0.value) })
        else { return false }
        return zip(scalars, scalars.dropFirst()).contains { $0.properties.isAlphabetic && $1.properties.isAlphabetic }
    }

    /// The composed text without surrounding whitespace; nil for an empty result, which would match everything.
    private static func normalized(_ text: String?) -> String? {
        guard let text, let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(text[first...last]).nfc
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? {
            let text = try container.decodeIfPresent(String.self, forKey: key)
            guard text?.utf8.count ?? 0 <= Self.maxTextBytes else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "it has more than \(Self.maxTextBytes) bytes")
            }
            return text
        }
        self.init(
            title: try text(.title), director: try text(.director),
            productionYears: try container.decodeIfPresent(ClosedRange<Year>.self, forKey: .productionYears),
            openingYears: try container.decodeIfPresent(ClosedRange<Year>.self, forKey: .openingYears),
            page: try container.decode(PageNumber.self, forKey: .page),
            pageSize: try container.decode(PageSize.self, forKey: .pageSize),
            includesAdultFilms: try container.decode(Bool.self, forKey: .includesAdultFilms))
    }

    /// Years as text for users and keys: "2019-2021".
    public static func text(_ years: ClosedRange<Year>) -> String { "\(years.lowerBound)-\(years.upperBound)" }

    /// "2019" or "2019-2021"; nil for any other text.
    public static func years(_ text: String) -> ClosedRange<Year>? {
        guard let match = text.wholeMatch(of: /([0-9]{4})(?:-([0-9]{4}))?/),
            let first = Int(match.1).flatMap(Year.init),
            let last = match.2.map({ Int($0).flatMap(Year.init) }) ?? first, first <= last
        else { return nil }
        return first...last
    }

    /// Whether it would match the whole catalogue.
    public var isEmpty: Bool {
        title == nil && director == nil && productionYears == nil && openingYears == nil
    }
}
