import Assembly
import Contracts
import Domain
import Envelope
import Inspection
import Localization
import MessageBus
import ProcessKit
import TerminalText
import Wording

extension GatewayCommands {
    /// The images that were found for a film, with the numbers that `pin` accepts.
    func posterCandidates(of film: FilmReference, on day: Day) async throws -> Answer {
        try await withCode(of: film, on: day) { code in
            let (poster, source) = try await storedPoster(code)
            let pinned = poster.confidence == .pinned ? poster.number : nil
            if presentation.isJSON {
                return Answer(
                    output: try JSONBytes.encode(
                        PosterCandidates(candidates: poster.numberedCandidates, pinned: pinned, source: source)))
            }
            let site = FilmWording(language: presentation.language).site
            let images = zip(1..., poster.numberedCandidates).map { number, candidate in
                let mark = number == pinned ? "*" : " "
                let size = "\(candidate.width) × \(candidate.height)"
                return "\(mark) \(number)  \(size)  \(site(candidate.site))  \(candidate.imageURL)".printable
            }
            let label = [source.label?(presentation.language)].compactMap(\.self)
            return Answer(lines: presentation.wrapped(images, indent: 5) + label)
        }
    }

    /// Pins one of a film's images as its poster until it is unpinned.
    ///
    /// - Parameter number: the number in the list of `posterCandidates`, from 1.
    func pinPoster(of film: FilmReference, on day: Day, number: Int) async throws -> Answer {
        try await withCode(of: film, on: day) { code in
            let (poster, source) = try await storedPoster(code)
            guard let pinned = poster.pinned(number) else {
                throw Failure.noCandidate(number, of: poster.candidates.count)
            }
            _ = try await bus.ask(
                ServiceName.cacheStore, CachePinRequest.kind,
                payload: JSONBytes.encode(CachePinRequest(key: PosterRequest.cacheKey(code: code), source: source)),
                attachments: [JSONBytes.encode(pinned)], deadline: deadline)
            if presentation.isJSON { return Answer(output: try JSONBytes.encode(["poster": pinned])) }
            return Answer(lines: [presentation.language("고정했습니다: ", "Pinned: ") + pinned.imageURL.printable])
        }
    }

    func unpinPoster(of film: FilmReference, on day: Day) async throws -> Answer {
        try await withCode(of: film, on: day) { code in
            let bytes = try await bus.ask(
                ServiceName.cacheStore, CacheUnpinRequest.kind,
                payload: JSONBytes.encode(CacheUnpinRequest(key: PosterRequest.cacheKey(code: code))),
                deadline: deadline)
            if presentation.isJSON { return Answer(output: bytes) }
            let wasPinned = try JSONBytes.decode(CacheUnpinReply.self, from: bytes).wasPinned
            return Answer(lines: [
                wasPinned
                    ? presentation.language("고정을 풀었습니다.", "Unpinned.")
                    : presentation.language("고정되어 있지 않았습니다.", "It was not pinned.")
            ])
        }
    }

    private func storedPoster(_ code: String) async throws -> (poster: Poster, source: DataSource) {
        let key = PosterRequest.cacheKey(code: code)
        let cached = try await query.peek([key])
        guard let part = cached[key], let value = part.value else {
            throw cached.failure ?? Failure.noStoredPoster(code)
        }
        return (try JSONBytes.decode(Poster.self, from: value), part.entry.source)
    }
}

/// The JSON answer of `poster pin` without a number.
private struct PosterCandidates: Encodable {
    let candidates: [PosterCandidate]
    /// The number of the pinned one, from 1; null when none is pinned.
    let pinned: Int?
    let source: DataSource

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(candidates, forKey: .candidates)
        try container.encode(pinned, forKey: .pinned)
        try container.encode(source, forKey: .source)
    }

    private enum CodingKeys: CodingKey {
        case candidates, pinned, source
    }
}

extension Failure {
    fileprivate static func noStoredPoster(_ code: String) -> Failure {
        Failure(
            .notFound,
            LocalizedText(
                ko: "\(code)의 포스터를 찾은 적이 없습니다. 그 영화가 나오는 날을 \(Installation.gateway) show로 먼저 보세요.",
                en:
                    "No poster of \(code) has been found yet. First look at a day with that film by \(Installation.gateway) show."
            ),
            isRetryable: false)
    }

    fileprivate static func noCandidate(_ number: Int, of count: Int) -> Failure {
        Failure(
            .notFound,
            LocalizedText(
                ko: "\(number)번 후보는 없습니다. 1번부터 \(count)번까지 있습니다.",
                en: "There is no candidate \(number); there are 1 to \(count)."),
            isRetryable: false)
    }
}
