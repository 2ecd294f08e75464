internal import Domain
internal import Recordings
internal import Upstream

/// The request for the record of a film.
struct KobisFilm: KobisEndpoint {
    typealias Answer = FilmDetail

    let code: String

    var path: String { "movie/searchMovieInfo.json" }

    var query: [(name: String, value: String)] { [("movieCd", code)] }

    var recordingName: RecordingName? { .film(code) }

    func answer(from result: FilmResult?, in response: UpstreamResponse) throws -> FilmDetail {
        guard let detail = result?.record?.detail else {
            throw UpstreamError(.notFound, notFound, httpStatus: response.status)
        }
        // A record of another film would be stored under the wrong key.
        guard detail.code.uppercased() == code.uppercased() else {
            throw response.malformed(
                "\(KobisClient.upstream) answered with film \(detail.code) instead of \(code).", isRetryable: false)
        }
        return detail
    }

    /// There is no recorded answer to an unknown code, so a fault without another explanation means "not found".
    func refusal(_ fault: KobisFault, httpStatus: Int) -> UpstreamError {
        guard !fault.isExplained else { return fault.error(httpStatus: httpStatus) }
        return UpstreamError(.notFound, notFound, httpStatus: httpStatus, faultCode: fault.code)
    }

    private var notFound: String { "\(KobisClient.upstream) knows no film with the code \"\(code)\"." }
}

/// `movieInfoResult`.
struct FilmResult: KobisResult {
    static let rootName = "movieInfoResult"

    /// Nil when KOBIS has no such film.
    let record: KobisFilmRecord?

    private enum CodingKeys: String, CodingKey {
        case record = "movieInfo"
    }
}
