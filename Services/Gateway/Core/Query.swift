import BoxOffice
import Contracts
import Envelope
public import MessageBus
public import ServiceKit

/// One question of a person, answered over the bus.
public struct Query: Sendable {
    private let finder: PartFinder

    /// - Parameters:
    ///   - deadline: every part has ended by then, with what there is.
    ///   - requests: of all queries of this process, which share what they have in flight.
    ///   - progress: is told what is awaited; nil when nobody looks.
    public init(
        bus: MessageBus, requests: SharedRequests, deadline: ContinuousClock.Instant, policy: AnswerPolicy,
        progress: QueryProgress? = nil, clock: WallClock = .system
    ) {
        finder = PartFinder(
            bus: bus, requests: requests, trace: .root(), deadline: deadline, clock: clock,
            log: QueryLog(deadline: deadline),
            policy: policy,
            progress: progress)
    }

    var policy: AnswerPolicy { finder.policy }
    var requests: SharedRequests { finder.requests }
    /// For what the answer can do without: as much time is left after it.
    var halfTime: ContinuousClock.Instant { .now + (finder.deadline - .now) / 2 }
    private var isRefresh: Bool { policy.isRefresh }

    /// What was asked of whom, and where the time went.
    var explanation: QueryExplanation { finder.log.explanation }

    /// A chart alone.
    func chart(_ selection: ChartSelection) async throws -> PartOutcome {
        try await told(
            "chart", ["date": .text(selection.days.lowerBound.iso), "kind": .text(selection.kind.rawValue)], of: \.self
        ) {
            try await fetchChart(selection).chart
        }
    }

    /// The chart with a detail and a poster for each of its first `top` films, joined.
    func show(_ date: Day, top: Int) async throws -> ShowAssembly {
        try await told("show", ["date": .text(date.iso), "top": .number(top)], of: \.chart) {
            let films = CachePeekRequest.Following(
                attribute: ChartRequest.filmsAttribute, limit: ItemLimit(clamping: top),
                prefixes: [DetailRequest.cacheKeyPrefix, PosterRequest.cacheKeyPrefix])
            let (chart, known) = try await fetchChart(.daily(date), following: films)
            guard let value = chart.value else { return ShowAssembly(chart: chart, codes: []) }
            let told = chart.attributes[ChartRequest.filmsAttribute].map {
                CachePeekRequest.Following.items(in: $0, atMost: top)
            }
            do {
                let codes = try told ?? JSONBytes.decode(Chart.self, from: value).entries.prefix(top).map(\.code)
                return try await joined(ShowAssembly(chart: chart, codes: codes), known: known)
            } catch is DecodingError {
                return ShowAssembly(chart: .failed(.unreadable, cache: chart.cache, sender: chart.sender), codes: [])
            }
        }
    }

    func movie(code: String) async throws -> PartOutcome {
        try await told("movie", ["code": .text(code)], of: \.self) { try await detail(code) }
    }

    /// A page of the catalogue.
    ///
    /// - Parameter deadline: nil for that of the query.
    func search(_ search: FilmSearch, deadline: ContinuousClock.Instant? = nil) async throws -> PartOutcome {
        let request = FilmSearchRequest(search, isRefresh: isRefresh)
        let what = search.title ?? search.director ?? ""
        return try await told("search", ["title": .text(what)], of: \.self) {
            let peeked = try await finder.peek([request.cacheKey])[request.cacheKey]
            let message = BusRequest(
                service: ServiceName.detailFetcher, kind: FilmSearchRequest.kind, trace: finder.trace,
                payload: try JSONBytes.encode(request))
            return try await finder.part(message, what: "search \(what)", peeked: peeked, deadline: deadline)
        }
    }

    /// What the cache has of these keys, even when parts are to be fetched anew.
    func look(_ keys: [String]) async throws -> [String: PartFinder.Peeked] {
        defer { finder.log.finish() }
        return try await finder.look(keys)
    }

    private func detail(_ code: String) async throws -> PartOutcome {
        let request = DetailRequest(code: code, isRefresh: isRefresh)
        let peeked = try await finder.peek([request.cacheKey])[request.cacheKey]
        return try await finder.part(ask(request), what: "movie \(code)", peeked: peeked)
    }

    /// The poster of a film of which only a title is known.
    func poster(title: String) async throws -> PartOutcome {
        try await told("poster", ["film": .text(title)], of: \.self) {
            let request = PosterRequest(code: nil, title: title, year: nil, isRefresh: isRefresh)
            return try await poster(request, what: title)
        }
    }

    /// The poster of a film, and the title that is known of it.
    ///
    /// - Returns: of a film that cannot be found, the failure of its detail.
    func poster(code: String) async throws -> (title: String, poster: PartOutcome) {
        try await told("poster", ["film": .text(code)], of: \.poster) {
            let key = PosterRequest.cacheKey(code: code)
            // What is known of its poster, pinned perhaps, needs nothing else.
            if let stored = finder.stored(try await finder.peek([key])[key]), let value = stored.value {
                return (try JSONBytes.decode(Poster.self, from: value).searchedTitle, stored)
            }
            let detail = try await detail(code)
            guard let value = detail.value else { return (code, detail) }
            let known = try JSONBytes.decode(FilmDetail.self, from: value)
            let request = PosterRequest(
                code: code, title: known.title, year: known.openingDay?.filmYear, isRefresh: isRefresh)
            return (known.title, try await poster(request, what: code))
        }
    }

    private func poster(_ request: PosterRequest, what: String) async throws -> PartOutcome {
        let peeked = try await finder.peek([request.cacheKey])[request.cacheKey]
        return try await finder.part(ask(request), what: "poster \(what)", peeked: peeked)
    }

    /// The image of a poster, as the outcome's attachment; its value is a `PosterImage`.
    ///
    /// - Parameter deadline: nil for that of the query.
    func image(
        of poster: Poster, title: String, deadline: ContinuousClock.Instant? = nil
    ) async throws -> PartOutcome {
        try await told("poster.image", ["title": .text(title)], of: \.self) {
            let request = PosterImageRequest(title: title, poster: poster, isRefresh: isRefresh)
            let message = BusRequest(
                service: ServiceName.posterResolver, kind: request.kind, trace: finder.trace,
                payload: try JSONBytes.encode(request))
            return try await finder.part(message, what: "image \(title)", peeked: nil, deadline: deadline)
        }
    }

    /// - Parameter following: what the chart's films have in the cache; it comes in the same look.
    private func fetchChart(
        _ selection: ChartSelection, following: CachePeekRequest.Following? = nil
    ) async throws -> (chart: PartOutcome, known: [String: PartFinder.Peeked]) {
        let request = ChartRequest(selection, isRefresh: isRefresh)
        let key = request.cacheKey
        let known = try await finder.peek([key], following: following)
        let outcome: PartOutcome
        if let stored = finder.stored(known[key]) {
            // A question that need not be asked need not be written either.
            outcome = stored
        } else {
            let message = BusRequest(
                service: ServiceName.chartFetcher, kind: request.kind, trace: finder.trace,
                payload: try JSONBytes.encode(request))
            outcome = try await finder.part(message, what: "chart \(selection)", peeked: known[key])
        }
        // A fetcher of the first release knows no parts of charts and would answer with the whole.
        if selection.filter != .everything, let value = outcome.value,
            try JSONBytes.decode(ChartSelection.self, from: value) != selection
        {
            return (.failed(.otherChart(selection)), known)
        }
        return (outcome, known)
    }

    /// - Parameter known: what a look into the cache has told of the chart's films before, if it was the same chart.
    private func joined(
        _ chartOnly: ShowAssembly, known: [String: PartFinder.Peeked]
    ) async throws -> ShowAssembly {
        var assembly = chartOnly
        let codes = assembly.films.map(\.code)
        let details = codes.map { DetailRequest(code: $0, isRefresh: isRefresh) }
        let detailKeys = details.map(\.cacheKey)
        let posterKeys = codes.map { PosterRequest.cacheKey(code: $0) }
        let peeked: [String: PartFinder.Peeked]
        do {
            let unknown = (detailKeys + posterKeys).filter { !known.keys.contains($0) }
            peeked = unknown.isEmpty ? known : try await known.merging(finder.peek(unknown)) { $1 }
        } catch let failure as Failure where policy.isOffline {
            // The chart is there all the same.
            for slot in assembly.missing { assembly.arrived(.failed(failure), for: slot) }
            return assembly
        }
        for index in codes.indices {
            if let stored = finder.stored(peeked[detailKeys[index]]) {
                assembly.arrived(stored, for: .detail(index))
            }
            if let stored = finder.stored(peeked[posterKeys[index]]) {
                assembly.arrived(stored, for: .poster(index))
            }
        }
        let missing = assembly.missing
        guard !missing.isEmpty, let value = assembly.chart.value else { return assembly }
        // Only a missing poster needs the chart's titles; a warm answer decodes nothing.
        let entries = Dictionary(
            try JSONBytes.decode(Chart.self, from: value).entries.map { ($0.code, $0) },
            uniquingKeysWith: { first, _ in first })
        try await withThrowingTaskGroup(of: (ShowAssembly.Slot, PartOutcome).self) { group in
            for slot in missing {
                switch slot {
                case .detail(let index):
                    group.addTask {
                        let what = "movie \(codes[index])"
                        let found = peeked[detailKeys[index]]
                        return (slot, try await finder.part(ask(details[index]), what: what, peeked: found))
                    }
                case .poster(let index):
                    let entry = entries[codes[index]]
                    let request = PosterRequest(
                        code: codes[index], title: entry?.title ?? codes[index],
                        year: entry?.openingDay?.filmYear, isRefresh: isRefresh)
                    group.addTask {
                        let found = peeked[posterKeys[index]]
                        return (
                            slot, try await finder.part(ask(request), what: "poster \(codes[index])", peeked: found)
                        )
                    }
                }
            }
            for try await (slot, outcome) in group { assembly.arrived(outcome, for: slot) }
        }
        return assembly
    }

    private func ask(_ request: DetailRequest) throws -> BusRequest {
        BusRequest(
            service: ServiceName.detailFetcher, kind: DetailRequest.kind, trace: finder.trace,
            payload: try JSONBytes.encode(request))
    }

    private func ask(_ request: PosterRequest) throws -> BusRequest {
        BusRequest(
            service: ServiceName.posterResolver, kind: PosterRequest.kind, trace: finder.trace,
            payload: try JSONBytes.encode(request))
    }

    /// Tells the event stream of a query's beginning and end.
    ///
    /// - Parameter deciding: the part without whose value the whole answer has failed.
    private func told<Answer>(
        _ command: String, _ facts: [String: Fact], of deciding: (Answer) -> PartOutcome,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        let start = ContinuousClock.now
        finder.publish(EventKind.queryStarted, nil, facts.merging(["command": .text(command)]) { $1 })
        func ended(_ status: ReplyStatus) {
            finder.log.finish()
            let took = (ContinuousClock.now - start).wholeMicroseconds
            finder.publish(
                EventKind.queryAnswered, nil,
                ["command": .text(command), "status": .text(status.rawValue), "tookMicroseconds": .number(took)])
        }
        do {
            let answer = try await body()
            ended(deciding(answer).value == nil ? .failed : .ok)
            return answer
        } catch {
            ended(.failed)
            throw error
        }
    }
}

extension Failure {
    fileprivate static func otherChart(_ selection: ChartSelection) -> Failure {
        Failure(
            .unsupportedVersion,
            LocalizedText(
                ko: "chart-fetcher가 다른 차트로 답했습니다(\(selection)을(를) 물었습니다). 모든 프로그램을 같은 판으로 맞추세요.",
                en:
                    "chart-fetcher answered with another chart than \(selection). Bring all programs to the same release."
            ),
            isRetryable: false)
    }
}
