import Domain
import Upstream

/// One of Kakao's `documents`.
struct ImageDocument: Decodable {
    /// Nil for an image whose URL is neither http nor https.
    let candidate: PosterCandidate?

    private enum CodingKeys: String, CodingKey {
        case width, height, datetime
        case imageURL = "image_url"
        case thumbnailURL = "thumbnail_url"
        case pageURL = "doc_url"
        case site = "display_sitename"
    }

    init(from decoder: any Decoder) throws {
        let document = try decoder.container(keyedBy: CodingKeys.self)
        // URLs are decoded byte for byte: neither trimmed nor composed.
        let imageURL = try document.decode(String.self, forKey: .imageURL)
        let thumbnailURL = try document.decodeIfPresent(String.self, forKey: .thumbnailURL)
        let hit = PosterCandidate(
            imageURL: imageURL,
            thumbnailURL: thumbnailURL?.isEmpty == true ? nil : thumbnailURL,
            width: try document.integer(.width),
            height: try document.integer(.height),
            site: try document.textIfKnown(.site),
            pageURL: try document.decode(String.self, forKey: .pageURL),
            datetime: try document.textIfKnown(.datetime))
        candidate = ["http://", "https://"].contains { imageURL.lowercased().hasPrefix($0) } ? hit : nil
    }
}
