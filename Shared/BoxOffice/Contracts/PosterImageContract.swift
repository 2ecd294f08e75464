public import Domain

/// Requests the image of a resolved poster from poster-resolver; the reply's payload is a `PosterImage`, its first
/// attachment the image.
///
/// A failed reply also contains an image: a placeholder that states the failure.
public struct PosterImageRequest: PartRequest, Equatable {
    public static let service = ServiceName.posterResolver
    public static let kind = "poster.image"
    public static let kinds = [kind]

    /// The film's title, for the placeholder image.
    public let title: String
    public let poster: Poster
    /// Fetches the image even if a fresh one is stored.
    public let isRefresh: Bool

    public init(title: String, poster: Poster, isRefresh: Bool) {
        self.title = title
        self.poster = poster
        self.isRefresh = isRefresh
    }

    public var kind: String { Self.kind }

    /// The key includes the other candidates, because one of them may replace the chosen image.
    public var cacheKey: String {
        let others = poster.runnersUp.map(\.imageURL) + poster.candidates.compactMap(\.thumbnailURL)
        return CacheKey.make(
            Self.kind, [("url", poster.imageURL), ("others", others.joined(separator: "\n").fingerprint)])
    }
}

/// The kind and the source of an image, and the failed attempts before it.
public struct PosterImage: Codable, Sendable, Equatable {
    /// The kind of the image; a value of a later release is kept as it is.
    public struct Source: RawRepresentable, Codable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A candidate in full size.
        public static let candidate = Source(rawValue: "candidate")
        /// The search's square crop of a candidate.
        public static let thumbnail = Source(rawValue: "thumbnail")
        /// A generated image that states that there is no image.
        public static let placeholder = Source(rawValue: "placeholder")
    }

    /// An address that returned no image.
    public struct Miss: Codable, Sendable, Equatable {
        public let url: String
        /// The code of the failure, for example `upstream_http`.
        public let code: String
        public let httpStatus: Int?

        public init(url: String, code: String, httpStatus: Int?) {
            self.url = url
            self.code = code
            self.httpStatus = httpStatus
        }

        /// Encodes every key; an unknown value is null.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(url, forKey: .url)
            try container.encode(code, forKey: .code)
            try container.encode(httpStatus, forKey: .httpStatus)
        }
    }

    public let source: Source
    /// The number of the poster's candidate, from 1; nil for a placeholder.
    public let number: Int?
    /// The address of the image; nil for a placeholder.
    public let url: String?
    /// The site and the page that show the image, for attribution.
    public let site: String?
    public let pageURL: String?
    /// The media type by the first bytes, not by the server.
    public let mediaType: String
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// Failed attempts, in order.
    public let missed: [Miss]

    public init(
        source: Source, number: Int?, url: String?, site: String?, pageURL: String?, mediaType: String, width: Int,
        height: Int, missed: [Miss]
    ) {
        self.source = source
        self.number = number
        self.url = url
        self.site = site
        self.pageURL = pageURL
        self.mediaType = mediaType
        self.width = width
        self.height = height
        self.missed = missed
    }

    /// Encodes every key; an unknown value is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(source, forKey: .source)
        try container.encode(number, forKey: .number)
        try container.encode(url, forKey: .url)
        try container.encode(site, forKey: .site)
        try container.encode(pageURL, forKey: .pageURL)
        try container.encode(mediaType, forKey: .mediaType)
        try container.encode(width, forKey: .width)
        try container.encode(height, forKey: .height)
        try container.encode(missed, forKey: .missed)
    }
}
