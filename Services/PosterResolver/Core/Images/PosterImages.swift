public import Contracts
import Domain
import Envelope
public import FetcherKit
import Localization
import MessageBus
public import ServiceKit
import Synchronization
public import Upstream

/// Answers `poster.image`: the first available image of the candidates, else a thumbnail of the search, else a drawing
/// that states that there is no image.
public struct PosterImages: PartSource {
    /// The description of a stored image is an attribute, as JSON.
    public let form = PartForm.attachment(attribute: "image")

    private let transport: any UpstreamTransport
    private let policy = FreshnessPolicy()
    private let downloads = Downloads(limit: 16)

    /// Time limits of one address, and of all addresses.
    private let retry: UpstreamRetry

    public init(over transport: any UpstreamTransport, retry: UpstreamRetry) {
        self.transport = transport
        self.retry = retry
    }

    /// The transport for images: only to the public internet.
    ///
    /// - Parameter search: base URL of the image search; if it is on the loopback interface (demo), so are its images.
    static func transport(besides search: String) -> PublicHostTransport {
        PublicHostTransport(rule: AddressRule(besides: search), bodyLimit: ImageDownload.maxBytes)
    }

    /// - Parameter gate: gate of the service; the image hosts use the same breaker settings.
    public func handler(parts: PartFetcher, gate: UpstreamGate) -> WorkerService.Handler {
        let answer = partHandler(parts: parts, gate: gate.uncounted(over: transport))
        return { incoming in
            var answer = try await answer(incoming)
            guard answer.status == .failed, answer.payload.isEmpty else { return answer }
            let request = try JSONBytes.decode(PosterImageRequest.self, from: incoming.envelope.payload)
            let placeholder = PlaceholderImage(title: request.title)
            answer.payload = try JSONBytes.encode(placeholder.description)
            answer.attachments = [placeholder.svg]
            return answer
        }
    }

    public func fetch(
        _ request: PosterImageRequest, over transport: any UpstreamTransport, deadline: ContinuousClock.Instant
    ) async throws -> FetchedPart {
        guard downloads.begin() else { throw Failure.busyWithImages }
        defer { downloads.end() }
        let end = min(deadline, .now + retry.budget)
        let candidates = Array(request.poster.candidates.enumerated())
        var search = ImageSearch(download: ImageDownload(transport: transport), attempt: retry.usualAttempt)
        for (place, candidate) in candidates {
            let address = candidate.imageURL
            if let image = try await search.image(at: address, before: end - FetcherTiming.thumbnails) {
                return try part(image, .candidate, place, candidate, address, search)
            }
        }
        let thumbnails = candidates.compactMap { place, candidate in
            candidate.thumbnailURL.map { (place, candidate, $0) }
        }
        for (place, candidate, address) in thumbnails {
            if let image = try await search.image(at: address, before: end) {
                return try part(image, .thumbnail, place, candidate, address, search)
            }
        }
        throw search.failure(of: request.title, addresses: candidates.count + thumbnails.count)
    }

    private func part(
        _ image: ImageDownload.Image, _ source: PosterImage.Source, _ place: Int, _ candidate: PosterCandidate,
        _ url: String, _ search: ImageSearch
    ) throws -> FetchedPart {
        let description = PosterImage(
            source: source, number: place + 1, url: url, site: candidate.site, pageURL: candidate.pageURL,
            mediaType: image.header.format.rawValue, width: image.header.width, height: image.header.height,
            missed: search.missed)
        let isFirstChoice = source == .candidate && place == 0
        return FetchedPart(
            value: image.bytes, freshFor: isFirstChoice ? policy.posterImage : policy.substituteImage,
            attributes: ["image": String(decoding: try JSONBytes.encode(description), as: UTF8.self)])
    }
}

extension Failure {
    fileprivate static let busyWithImages = Failure(
        .overloaded,
        LocalizedText(
            ko: "poster-resolver가 받고 있는 이미지가 너무 많습니다. 잠시 뒤에 다시 시도하세요.",
            en: "poster-resolver is fetching too many images. Try again in a moment."),
        isRetryable: true)
}

/// Counts concurrent image downloads; the limit keeps slow hosts from blocking poster searches.
final class Downloads: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// False when the limit is reached; otherwise the caller must call `end`.
    func begin() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    func end() {
        count.withLock { $0 -= 1 }
    }
}
