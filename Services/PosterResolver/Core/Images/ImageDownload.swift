import Domain
import Upstream

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Fetches one image: follows a few redirects, and rejects bodies without an image header.
struct ImageDownload {
    struct Image {
        let bytes: [UInt8]
        let header: ImageHeader
    }

    /// The largest image that fits into a message with its other parts.
    static let maxBytes = 3 << 19
    private static let maxRedirects = 3
    /// Smaller images are tracking pixels, or signs against hot links.
    private static let smallestSide = 32
    /// Larger ones take a reader's memory: four bytes a pixel, whatever the file's size.
    private static let largestSide = 10_000
    private static let mostPixels = 40_000_000
    /// Those that `ImageHeader` reads and programs show: with any image some hosts send AVIF.
    private static let accepted = "image/jpeg,image/png,image/webp"

    let transport: any UpstreamTransport

    /// An image that programs cannot use.
    enum Refusal: String, Error {
        case format = "image_format"
        case tooSmall = "image_too_small"
        case tooLarge = "image_too_large"
    }

    /// - Throws: `UpstreamError`, `Refusal`, or an unchanged `CancellationError`.
    func image(at address: String, deadline: ContinuousClock.Instant) async throws -> Image {
        var url = URL(string: address)
        for _ in 0...Self.maxRedirects {
            guard let asked = url, let host = asked.host else {
                throw UpstreamError(.requestRefused, "An image's address is no URL with a host.")
            }
            let request = UpstreamRequest(
                upstream: host, path: asked.path, url: asked.absoluteString,
                headers: ["Accept": Self.accepted, "User-Agent": "boxoffice"])
            let response = try await transport.send(request, deadline: deadline)
            if response.isSuccess { return try Self.image(in: response) }
            guard [301, 302, 303, 307, 308].contains(response.status), let location = response.location else {
                throw UpstreamError(
                    .http, "\(host) answered with HTTP status \(response.status).", httpStatus: response.status)
            }
            url = URL(string: location, relativeTo: asked)?.absoluteURL
        }
        throw UpstreamError(.http, "An image's address redirects more than \(Self.maxRedirects) times.")
    }

    private static func image(in response: UpstreamResponse) throws(Refusal) -> Image {
        guard let header = ImageHeader(response.body) else { throw .format }
        let (width, height) = (header.width, header.height)
        guard min(width, height) >= smallestSide else { throw .tooSmall }
        guard max(width, height) <= largestSide, width * height <= mostPixels else { throw .tooLarge }
        return Image(bytes: response.body, header: header)
    }
}
