public import Domain

/// A part that an answer has for each film of its chart.
///
/// A further case is requested, cached, awaited, explained and written as JSON like the others. Each output decides what it
/// shows of it: the schemas, `FilmText` and `FilmRecord` of the gateway, `FilmRow` of the pages.
public enum FilmPart: Int, Sendable, Hashable, CaseIterable {
    case detail, poster

    /// Its member in the JSON of an answer.
    public var name: StaticString {
        switch self {
        case .detail: "detail"
        case .poster: "poster"
        }
    }

    /// Before the film's code in its cache key.
    public var cacheKeyPrefix: String {
        switch self {
        case .detail: DetailRequest.cacheKeyPrefix
        case .poster: PosterRequest.cacheKeyPrefix
        }
    }

    public func cacheKey(code: String) -> String { cacheKeyPrefix + CacheKey.escaped(code) }

    /// Of all parts of a film.
    public static func cacheKeys(code: String) -> [String] { allCases.map { $0.cacheKey(code: code) } }

    /// Names it in events and explanations.
    public func what(code: String) -> String {
        switch self {
        case .detail: "movie \(code)"
        case .poster: "poster \(code)"
        }
    }

    /// The request for it; each part has a type of its own.
    ///
    /// - Parameter film: the film in its chart; nil when the chart does not have it.
    public func request(code: String, film: ChartEntry?, isRefresh: Bool) -> any PartRequest {
        switch self {
        case .detail: DetailRequest(code: code, isRefresh: isRefresh)
        case .poster:
            PosterRequest(
                code: code, title: film?.title ?? code, year: film?.openingDay?.filmYear, isRefresh: isRefresh)
        }
    }

    /// Of the message that requests it.
    public var requestKind: String {
        switch self {
        case .detail: DetailRequest.kind
        case .poster: PosterRequest.kind
        }
    }

    /// What its value decodes as.
    public var valueType: any (Decodable & Sendable).Type {
        switch self {
        case .detail: FilmDetail.self
        case .poster: Poster.self
        }
    }

    /// How many calls of upstreams it may take; retries are not counted.
    public var calls: Int { 1 }
}
