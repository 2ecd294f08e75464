/// One hit of an image search that may be a film's poster.
///
/// The URLs are upstream's text byte for byte: decoding and encoding them again would break those that carry encoded
/// Hangul or quotes.
public struct PosterCandidate: Codable, Sendable, Equatable {
    /// Anybody's web site, sometimes http, sometimes gone or refusing hot links.
    public let imageURL: String
    /// A square crop: it cuts a poster.
    public let thumbnailURL: String?
    /// In pixels, as the search says; 0 when it does not know.
    public let width: Int
    /// In pixels, as the search says; 0 when it does not know.
    public let height: Int
    /// The site's name for people: "네이버블로그".
    public let site: String?
    /// The page that shows the image: the attribution that travels with it.
    public let pageURL: String
    /// When that page was written, as upstream writes it: "2023-06-10T12:36:51.000+09:00".
    public let datetime: String?

    public init(
        imageURL: String, thumbnailURL: String?, width: Int, height: Int, site: String?, pageURL: String,
        datetime: String?
    ) {
        self.imageURL = imageURL
        self.thumbnailURL = thumbnailURL
        self.width = width
        self.height = height
        self.site = site
        self.pageURL = pageURL
        self.datetime = datetime
    }

    /// Every key is there; what is not known is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(imageURL, forKey: .imageURL)
        try container.encode(thumbnailURL, forKey: .thumbnailURL)
        try container.encode(width, forKey: .width)
        try container.encode(height, forKey: .height)
        try container.encode(site, forKey: .site)
        try container.encode(pageURL, forKey: .pageURL)
        try container.encode(datetime, forKey: .datetime)
    }
}
