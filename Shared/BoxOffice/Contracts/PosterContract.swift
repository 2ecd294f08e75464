public import Domain

/// Requests a film's poster from poster-resolver; the reply's payload is a `Poster`.
///
/// It contains title and year, because fetchers do not call each other.
public struct PosterRequest: PartRequest, Equatable {
    public static let service = ServiceName.posterResolver
    public static let kind = "poster.find"
    public static let kinds = [kind]

    /// The KOBIS film code; nil when only a title is known.
    public let code: String?
    public let title: String
    /// The film's opening year.
    public let year: Year?
    /// Searches even if a fresh result is stored.
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

    /// The key of a film's poster, from the code alone.
    public static func cacheKey(code: String) -> String {
        cacheKeyPrefix + CacheKey.escaped(code)
    }

    /// The prefix of every such key; the film's code follows.
    public static let cacheKeyPrefix = CacheKey.make(kind, [("code", "")])
}
