/// Asks detail-fetcher for what KOBIS knows about a film; the reply's payload is a `FilmDetail`.
public struct DetailRequest: PartRequest, Equatable {
    public static let kind = "movie.detail"
    public static let kinds = [kind]

    /// KOBIS film code, 8 characters of text.
    public let code: String
    /// Fetch even if a fresh one is stored.
    public let isRefresh: Bool

    public init(code: String, isRefresh: Bool) {
        self.code = code
        self.isRefresh = isRefresh
    }

    public var kind: String { Self.kind }

    public var cacheKey: String { Self.cacheKeyPrefix + CacheKey.escaped(code) }

    /// What every such key begins with; the film's code follows.
    public static let cacheKeyPrefix = CacheKey.make(kind, [("code", "")])
}
