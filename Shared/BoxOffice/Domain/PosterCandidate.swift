/// One hit of an image search that may be a film's poster.
///
/// The URLs are the upstream's text byte for byte: decoding and encoding would break URLs that contain encoded Hangul
/// or quotes.
public struct PosterCandidate: Codable, Sendable, Equatable {
    /// On any web site: it may use http, be missing or refuse hot links.
    public let imageURL: String
    /// A square crop, which cuts off parts of a poster.
    public let thumbnailURL: String?
    /// In pixels, as reported by the search; 0 when unknown.
    public let width: Int
    /// In pixels, as reported by the search; 0 when unknown.
    public let height: Int
    /// The display name of the site: "네이버블로그".
    public let site: String?
    /// The page that shows the image, for attribution.
    public let pageURL: String
    /// The date of that page in the upstream's format: "2023-06-10T12:36:51.000+09:00".
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

    /// Encodes every key; an unknown value is null.
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
