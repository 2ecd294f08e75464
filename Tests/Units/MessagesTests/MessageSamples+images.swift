import Contracts
import Envelope
import Localization

extension MessageSamples {
    /// The gateway's requests to poster-resolver for a poster's image, and the answers.
    static func images() throws -> [MessageVector] {
        let request = PosterImageRequest(
            title: "경관의 피", poster: try poster(sizes: [(700, 1000), (480, 640)]), isRefresh: false)
        let none = Failure(
            .noImage, LocalizedText(ko: "이미지를 받지 못했습니다.", en: "None of the addresses gave an image."),
            isRetryable: true)
        return [
            try self.request("a poster's image is asked for", kind: PosterImageRequest.kind, request),
            try reply(
                "an image of the second candidate", kind: PosterImageRequest.kind, sender: "poster-resolver/1",
                cache: CacheStatus(hit: false, fwd: .uriMiss, stored: true, ttl: 3600, age: 0),
                PosterImage(
                    source: .candidate, number: 2, url: "http://image.example/1.jpg", site: "네이버블로그",
                    pageURL: "http://page.example/1", mediaType: "image/jpeg", width: 480, height: 640,
                    missed: [.init(url: "http://image.example/0.jpg", code: "upstream_http", httpStatus: 403)]),
                attachments: ["JFIF"]),
            try reply(
                "no image, and a drawing that says so", kind: PosterImageRequest.kind, sender: "poster-resolver/1",
                status: .failed, failure: none,
                PosterImage(
                    source: .placeholder, number: nil, url: nil, site: nil, pageURL: nil, mediaType: "image/svg+xml",
                    width: 400, height: 572, missed: []),
                attachments: ["<svg/>"]),
        ]
    }
}
