public import BoxOffice

/// Asks poster-resolver for the image of a poster that it has found; the reply's payload is a `PosterImage`, its first
/// attachment the image.
///
/// A reply that has failed still carries an image: a drawing that says so.
public struct PosterImageRequest: PartRequest, Equatable {
    public static let kind = "poster.image"
    public static let kinds = [kind]

    /// The film's title, for an image that has to say what is missing.
    public let title: String
    public let poster: Poster
    /// Fetch it even if it is stored and fresh.
    public let isRefresh: Bool

    public init(title: String, poster: Poster, isRefresh: Bool) {
        self.title = title
        self.poster = poster
        self.isRefresh = isRefresh
    }

    public var kind: String { Self.kind }

    /// The other candidates belong to it, since one of them may have to stand in.
    public var cacheKey: String {
        let others = poster.runnersUp.map(\.imageURL) + poster.candidates.compactMap(\.thumbnailURL)
        return CacheKey.make(
            Self.kind, [("url", poster.imageURL), ("others", others.joined(separator: "\n").fingerprint)])
    }
}

/// What an image is, where it comes from, and what was tried before it.
public struct PosterImage: Codable, Sendable, Equatable {
    /// What stands for the poster; a word of a later release is read as it is.
    public struct Source: RawRepresentable, Codable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// One of the candidates in full.
        public static let candidate = Source(rawValue: "candidate")
        /// The search's own square crop of one.
        public static let thumbnail = Source(rawValue: "thumbnail")
        /// Drawn by us: it says that there is no image.
        public static let placeholder = Source(rawValue: "placeholder")
    }

    /// An address that gave no image.
    public struct Miss: Codable, Sendable, Equatable {
        public let url: String
        /// The code of the failure, as `upstream_http`.
        public let code: String
        public let httpStatus: Int?

        public init(url: String, code: String, httpStatus: Int?) {
            self.url = url
            self.code = code
            self.httpStatus = httpStatus
        }

        /// Every key is there; what is not known is null.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(url, forKey: .url)
            try container.encode(code, forKey: .code)
            try container.encode(httpStatus, forKey: .httpStatus)
        }
    }

    public let source: Source
    /// Which of the poster's candidates, from 1; nil for a placeholder.
    public let number: Int?
    /// Where the image was fetched from; nil for a placeholder.
    public let url: String?
    /// The site and the page that show it: the attribution that travels with it.
    public let site: String?
    public let pageURL: String?
    /// As its first bytes say, never as the server does.
    public let mediaType: String
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// In the order in which they were tried.
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

    /// Every key is there; what is not known is null.
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
