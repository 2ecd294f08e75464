import Contracts
import Envelope
import FetcherKit
import Upstream

/// One image after the other until one is there; remembers those that were not.
struct ImageSearch {
    let download: ImageDownload
    /// What one address may take.
    let attempt: Duration
    private(set) var missed: [PosterImage.Miss] = []
    /// Whether one of them may be there the next time.
    private(set) var isWorthRepeating = false

    init(download: ImageDownload, attempt: Duration) {
        self.download = download
        self.attempt = attempt
    }

    /// Nil when there is none at this address, or no time left to ask for it.
    mutating func image(at url: String, before end: ContinuousClock.Instant) async throws -> ImageDownload.Image? {
        guard .now < end else { return nil }
        do {
            return try await download.image(at: url, deadline: min(end, .now + attempt))
        } catch let error as UpstreamError {
            let failure = Failure(error)
            missed.append(PosterImage.Miss(url: url, code: failure.code.rawValue, httpStatus: failure.httpStatus))
            isWorthRepeating = isWorthRepeating || failure.isRetryable
            return nil
        }
    }
}

extension Failure {
    static func noImage(of title: String, _ search: ImageSearch) -> Failure {
        let reasons = search.missed
            .map { miss in
                // With a good status it is the body that was wrong.
                miss.code == FailureCode.upstreamHTTP.rawValue
                    ? miss.httpStatus.map { "HTTP \($0)" } ?? miss.code : miss.code
            }
            .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
        let count = search.missed.count
        return Failure(
            .noImage,
            LocalizedText(
                ko: "'\(title)'의 포스터 주소 \(count)곳에서 이미지를 받지 못했습니다(\(reasons)). gateway poster pin으로 다른 이미지를 고를 수 있습니다.",
                en: "None of the \(count) addresses of the poster of \"\(title)\" gave an image (\(reasons)). "
                    + "gateway poster pin chooses another one."),
            isRetryable: search.isWorthRepeating)
    }
}
