import Domain
import Recordings
import Upstream

/// The request for images.
struct KakaoImageSearch: UpstreamEndpoint {
    let words: String
    /// Maximum number of hits, 1...80.
    let size: Int

    var path: String { "v2/search/image" }

    var query: [(name: String, value: String)] { [("query", words), ("size", String(size))] }

    var recordingName: RecordingName? { .images(words) }

    func answer(to response: UpstreamResponse) throws -> [PosterCandidate] {
        guard response.isSuccess else { throw failure(of: response).error(in: response) }
        let page = try response.decode(ImagePage.self, from: KakaoClient.upstream)
        if let fault = page.fault {
            throw fault.error(in: response)
        }
        return page.documents.compactMap(\.candidate)
    }

    private func failure(of response: UpstreamResponse) -> KakaoFault {
        do {
            return try response.decode(KakaoFault.self, from: KakaoClient.upstream)
        } catch {
            // An error page may not be JSON; then only the status counts.
            return .statusOnly
        }
    }
}

/// The body of an answer: hits, or a fault despite a success status.
private struct ImagePage: Decodable {
    let fault: KakaoFault?
    let documents: [ImageDocument]

    private enum CodingKeys: CodingKey {
        case documents
    }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        let fault = try KakaoFault(from: decoder)
        self.fault = fault.code == nil ? nil : fault
        documents = fault.code == nil ? try body.decode([ImageDocument].self, forKey: .documents) : []
    }
}
