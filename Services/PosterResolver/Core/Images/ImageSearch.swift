import BoxOffice
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
        guard .now < end else {
            isWorthRepeating = true
            return nil
        }
        do {
            return try await download.image(at: url, deadline: min(end, .now + attempt))
        } catch let error as UpstreamError {
            let failure = Failure(error)
            missed.append(PosterImage.Miss(url: url, code: failure.code.rawValue, httpStatus: failure.httpStatus))
            isWorthRepeating = isWorthRepeating || failure.isRetryable
            return nil
        }
    }

    /// Why there is no image.
    ///
    /// - Parameter addresses: how many the poster has, asked or not.
    func failure(of title: String, addresses: Int) -> Failure {
        let reasons = missed.map(\.reason).reduce(into: [LocalizedText]()) { if !$0.contains($1) { $0.append($1) } }
        let (korean, english) = (reasons.map(\.ko).joined(separator: ", "), reasons.map(\.en).joined(separator: ", "))
        return Failure(
            isWorthRepeating ? .imageUnreachable : .noImage,
            LocalizedText(
                ko: "'\(title)'의 포스터 주소 \(addresses)곳 가운데 \(missed.count)곳에 물었지만 이미지를 받지 못했습니다(\(korean)).",
                en:
                    "Of the \(addresses) addresses of the poster of \"\(title)\" \(missed.count) were asked, and none gave an "
                    + "image (\(english))."),
            isRetryable: isWorthRepeating)
    }
}

extension PosterImage.Miss {
    /// Why, in a few words.
    fileprivate var reason: LocalizedText {
        switch FailureCode(rawValue: code) {
        case .upstreamHTTP:
            httpStatus.map { LocalizedText(ko: "HTTP \($0)", en: "HTTP \($0)") }
                ?? .init(ko: "끝없는 이동", en: "redirects without end")
        case .upstreamTimeout: LocalizedText(ko: "시간 초과", en: "timed out")
        case .upstreamUnreachable: LocalizedText(ko: "연결 안 됨", en: "not reachable")
        case .upstreamUnavailable: LocalizedText(ko: "얼마 전부터 답이 없음", en: "has not answered lately")
        case .upstreamMalformed: LocalizedText(ko: "이미지가 아니거나 너무 큼", en: "no image, or too large")
        case .addressRefused: LocalizedText(ko: "공개 인터넷 주소가 아님", en: "not of the public internet")
        case .requestRefused: LocalizedText(ko: "주소가 잘못됨", en: "no valid address")
        default: LocalizedText(ko: code, en: code)
        }
    }
}
