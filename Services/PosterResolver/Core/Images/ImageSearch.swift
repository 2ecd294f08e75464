import Contracts
import Domain
import Envelope
import FetcherKit
import Localization
import Upstream

/// Tries image addresses one by one, and records those without an image.
struct ImageSearch {
    let download: ImageDownload
    /// Time limit of one address.
    let attempt: Duration
    private(set) var missed: [PosterImage.Miss] = []
    /// Whether a later attempt may find an image.
    private(set) var isWorthRepeating = false

    init(download: ImageDownload, attempt: Duration) {
        self.download = download
        self.attempt = attempt
    }

    /// Nil when there is no image at this address, or no time left.
    mutating func image(at url: String, before end: ContinuousClock.Instant) async throws -> ImageDownload.Image? {
        guard .now + FetcherTiming.shortestImageAttempt < end else {
            isWorthRepeating = true
            return nil
        }
        do {
            return try await download.image(at: url, deadline: min(end, .now + attempt))
        } catch let refusal as ImageDownload.Refusal {
            missed.append(PosterImage.Miss(url: url, code: refusal.rawValue, httpStatus: nil))
            return nil
        } catch let error as UpstreamError {
            let failure = Failure(error)
            missed.append(PosterImage.Miss(url: url, code: failure.code.rawValue, httpStatus: failure.httpStatus))
            isWorthRepeating = isWorthRepeating || failure.isRetryable
            return nil
        }
    }

    /// The failure that states why there is no image.
    ///
    /// - Parameter addresses: number of addresses of the poster, called or not.
    func failure(of title: String, addresses: Int) -> Failure {
        let reasons = missed.map(\.reason).reduce(into: [LocalizedText]()) { if !$0.contains($1) { $0.append($1) } }
        let (korean, english) = (reasons.map(\.ko).joined(separator: ", "), reasons.map(\.en).joined(separator: ", "))
        guard !missed.isEmpty else {
            return Failure(
                .imageUnreachable,
                LocalizedText(
                    ko: "'\(title)'의 포스터 이미지를 받을 시간이 없었습니다.",
                    en: "There was no time left to fetch the poster of \"\(title)\"."),
                isRetryable: true)
        }
        return Failure(
            isWorthRepeating ? .imageUnreachable : .noImage,
            LocalizedText(
                ko: "'\(title)'의 포스터 이미지가 없습니다. 주소 \(addresses)곳 가운데 \(missed.count)곳을 시도했습니다(\(korean)).",
                en: "No image of the poster of \"\(title)\": tried \(missed.count) of \(addresses) "
                    + "\(addresses == 1 ? "address" : "addresses") (\(english))."),
            isRetryable: isWorthRepeating)
    }
}

extension PosterImage.Miss {
    /// The reason in a few words.
    fileprivate var reason: LocalizedText {
        switch ImageDownload.Refusal(rawValue: code) {
        case .format: return LocalizedText(ko: "JPEG, PNG, GIF, WebP가 아님", en: "no JPEG, PNG, GIF or WebP")
        case .tooSmall: return LocalizedText(ko: "이미지가 너무 작음", en: "too small an image")
        case .tooLarge: return LocalizedText(ko: "이미지가 너무 큼", en: "too large an image")
        case nil: break
        }
        return switch FailureCode(rawValue: code) {
        case .upstreamHTTP:
            httpStatus.map { LocalizedText(ko: "HTTP \($0)", en: "HTTP \($0)") }
                ?? .init(ko: "리디렉션이 끝나지 않음", en: "redirects without end")
        case .upstreamTimeout: LocalizedText(ko: "시간 초과", en: "timed out")
        case .upstreamUnreachable: LocalizedText(ko: "연결 안 됨", en: "not reachable")
        case .upstreamUnavailable: LocalizedText(ko: "지금은 묻지 않음", en: "paused for now")
        case .upstreamMalformed: LocalizedText(ko: "파일이 너무 큼", en: "too large a file")
        case .addressRefused: LocalizedText(ko: "공개 인터넷 주소가 아님", en: "not of the public internet")
        case .requestRefused: LocalizedText(ko: "주소가 잘못됨", en: "no valid address")
        default: LocalizedText(ko: code, en: code)
        }
    }
}
