import BoxOffice
import Contracts
import Envelope
import FetcherKit
import Upstream

/// Answers `movie.search`: a page of the KOBIS catalogue.
struct FilmSearches: PartSource {
    static let service = ServiceName.detailFetcher

    let films: DetailFetcher
    private let policy = FreshnessPolicy()

    init(_ films: DetailFetcher) {
        self.films = films
    }

    func fetch(
        _ request: FilmSearchRequest, over transport: any UpstreamTransport, deadline: ContinuousClock.Instant
    ) async throws -> FetchedPart {
        let page = try await films.kobis(over: transport).films(request.search, deadline: deadline)
        return FetchedPart(
            value: try JSONBytes.encode(page), freshFor: page.total == 0 ? policy.emptyResult : policy.search)
    }
}
