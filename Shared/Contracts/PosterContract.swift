public import BoxOffice

/// Asks poster-resolver for a film's poster; the reply's payload is a `Poster`.
///
/// It carries title and year, since no fetcher asks another.
public struct PosterRequest: PartRequest, Equatable {
    public static let kind = "poster.find"
    public static let kinds = [kind]

    /// KOBIS film code; nil when only a title is known.
    public let code: String?
    public let title: String
    /// The film's opening year.
    public let year: Year?
    /// Search even if a fresh result is stored.
    public let isRefresh: Bool

    public init(code: String?, title: String, year: Year?, isRefresh: Bool) {
        self.code = code
        self.title = title
        self.year = year
        self.isRefresh = isRefresh
    }

    public var kind: String { Self.kind }

    public var cacheKey: String {
        guard let code else {
            return CacheKey.make(Self.kind, [("title", title), ("year", year?.description)])
        }
        return Self.cacheKey(code: code)
    }

    /// The key of a film's poster, for whoever knows the code alone.
    public static func cacheKey(code: String) -> String {
        cacheKeyPrefix + CacheKey.escaped(code)
    }

    /// What every such key begins with; the film's code follows.
    public static let cacheKeyPrefix = CacheKey.make(kind, [("code", "")])
}
