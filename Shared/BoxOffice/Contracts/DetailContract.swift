/// Requests KOBIS's record of a film from detail-fetcher; the reply's payload is a `FilmDetail`.
public struct DetailRequest: PartRequest, Equatable {
    public static let service = ServiceName.detailFetcher
    public static let kind = "movie.detail"
    public static let kinds = [kind]

    /// The KOBIS film code, 8 characters.
    public let code: String
    /// Fetches the detail even if a fresh one is stored.
    public let isRefresh: Bool

    public init(code: String, isRefresh: Bool) {
        self.code = code
        self.isRefresh = isRefresh
    }

    public var kind: String { Self.kind }

    public var cacheKey: String { Self.cacheKeyPrefix + CacheKey.escaped(code) }

    /// The prefix of every such key; the film's code follows.
    public static let cacheKeyPrefix = CacheKey.make(kind, [("code", "")])

    /// The film whose detail has that key; nil for other keys.
    public static func code(ofKey key: String) -> String? {
        guard key.hasPrefix(cacheKeyPrefix) else { return nil }
        let code = String(key.dropFirst(cacheKeyPrefix.count))
        return DetailRequest(code: code, isRefresh: false).cacheKey == key && !code.contains("%") ? code : nil
    }
}
