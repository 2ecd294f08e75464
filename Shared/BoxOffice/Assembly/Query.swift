internal import Contracts
public import Domain
internal import Envelope
internal import Localization
public import MessageBus
public import ProcessKit

/// A user's query, answered over the bus.
///
///     let query = Query(bus: bus, deadline: .now + .seconds(5))
///     let answer = try await query.show(.daily(day), top: 10)
///     let json = try AnswerJSON.show(answer)
///
/// Parts come from the cache, else from a fetcher. An unavailable part is a failure in the answer; the query itself
/// throws `Failure` only when the broker is unavailable, and `CancellationError`.
public struct Query: Sendable {
    var finder: PartFinder

    /// - Parameters:
    ///   - requests: shared by all queries of this process, to merge their requests in flight.
    ///   - deadline: every part has arrived or failed by then.
    ///   - policy: which stored values may serve.
    ///   - trace: its id, and for whom it is made.
    ///   - progress: receives what is awaited; nil when there is no reader.
    public init(
        bus: MessageBus, requests: SharedRequests = SharedRequests(), deadline: ContinuousClock.Instant,
        policy: AnswerPolicy = AnswerPolicy(), trace: Trace = .root(),
        progress: QueryProgress? = nil, clock: WallClock = .system
    ) {
        finder = PartFinder(
            bus: bus, requests: requests, trace: trace, deadline: deadline, clock: clock,
            log: QueryLog(deadline: deadline), policy: policy, progress: progress)
    }

    public var policy: AnswerPolicy { finder.policy }
    /// To share with further queries of this process.
    public var requests: SharedRequests { finder.requests }
    /// Its id in events and at the broker: 16 hexadecimal digits.
    public var id: String { finder.trace.queryText }
    /// The requests of the query and their durations.
    public var explanation: QueryExplanation { finder.log.explanation }

    /// The same query with an earlier deadline.
    ///
    /// - Parameter limit: from now on.
    public func limited(to limit: Duration) -> Query {
        var query = self
        query.finder.deadline = min(finder.deadline, .now + limit)
        return query
    }

    /// The same query for charts as the archive knew them.
    ///
    /// - Parameter moment: milliseconds since 1970.
    public func asOf(_ moment: Int64?) -> Query {
        var query = self
        query.finder.policy.asOf = moment
        return query
    }

    /// For optional parts: it leaves the same amount of time after it.
    var halfTime: ContinuousClock.Instant { .now + (finder.deadline - .now) / 2 }
    var isRefresh: Bool { policy.isRefresh }

    // MARK: Charts

    /// A chart alone; its value is a `Chart`.
    public func chart(_ selection: ChartSelection) async throws -> PartOutcome {
        try await publishingLifecycle(
            of: "chart",
            attributes: ["date": .text(selection.days.lowerBound.iso), "kind": .text(selection.kind.rawValue)],
            decisivePart: \.self
        ) {
            try await fetchChart(selection).chart
        }
    }

    /// A chart as a part of another service's answer, without the events of a query of its own.
    ///
    /// The fetcher looks into the cache: that most charts are missing there is why they are fetched.
    public func chartPart(_ selection: ChartSelection) async throws -> PartOutcome {
        try await part(ChartRequest(selection, isRefresh: isRefresh), what: "chart \(selection)")
    }

    /// A film's detail as a part of another service's answer; as `chartPart`.
    public func detailPart(code: String) async throws -> PartOutcome {
        try await part(DetailRequest(code: code, isRefresh: isRefresh), what: FilmPart.detail.what(code: code))
    }

    private func part(_ request: some PartRequest, what: String) async throws -> PartOutcome {
        defer { finder.log.finish() }
        return try await finder.fetchPart(request, what: what, peeked: nil)
    }

    /// - Parameter following: the cached parts of the chart's films to include in the same peek.
    func fetchChart(
        _ selection: ChartSelection, following: CachePeekRequest.Following? = nil
    ) async throws -> (chart: PartOutcome, cached: CachedParts) {
        if let moment = policy.asOf { return (try await archivedChart(selection, asOf: moment), CachedParts()) }
        let request = ChartRequest(selection, isRefresh: isRefresh)
        let key = request.cacheKey
        let cached = try await finder.peek([key], following: following)
        return (try await finder.fetchPart(request, what: "chart \(selection)", peeked: cached[key]), cached)
    }

    // MARK: Single parts

    /// A film's detail; its value is a `FilmDetail`.
    public func movie(code: String) async throws -> PartOutcome {
        try await publishingLifecycle(of: "movie", attributes: ["code": .text(code)], decisivePart: \.self) {
            try await fetchDetail(code)
        }
    }

    /// A page of the catalogue; its value is a `FilmPage`.
    ///
    /// - Parameter deadline: nil for the query's deadline.
    public func search(_ search: FilmSearch, deadline: ContinuousClock.Instant? = nil) async throws -> PartOutcome {
        let request = FilmSearchRequest(search, isRefresh: isRefresh)
        let what = search.title ?? search.director ?? ""
        return try await publishingLifecycle(of: "search", attributes: ["title": .text(what)], decisivePart: \.self) {
            let cached = try await finder.peek([request.cacheKey])[request.cacheKey]
            return try await finder.fetchPart(request, what: "search \(what)", peeked: cached, deadline: deadline)
        }
    }

    /// The poster of a film with a title but no code; its value is a `Poster`.
    public func poster(title: String) async throws -> PartOutcome {
        try await publishingLifecycle(of: "poster", attributes: ["film": .text(title)], decisivePart: \.self) {
            let request = PosterRequest(code: nil, title: title, year: nil, isRefresh: isRefresh)
            let cached = try await finder.peek([request.cacheKey])[request.cacheKey]
            return try await finder.fetchPart(request, what: "poster \(title)", peeked: cached)
        }
    }

    /// The poster of a film whose detail is known.
    public func poster(of film: FilmDetail) async throws -> PartOutcome {
        try await publishingLifecycle(of: "poster", attributes: ["film": .text(film.code)], decisivePart: \.self) {
            let key = PosterRequest.cacheKey(code: film.code)
            let cached = try await finder.peek([key])[key]
            if let part = finder.cachedPart(cached), part.value != nil { return part }
            return try await fetchPoster(of: film, cached: cached)
        }
    }

    /// The poster of a film, and the film's title.
    ///
    /// - Returns: the failure of the detail when the film cannot be found.
    public func poster(code: String) async throws -> (title: String, poster: PartOutcome) {
        try await publishingLifecycle(of: "poster", attributes: ["film": .text(code)], decisivePart: \.poster) {
            let key = PosterRequest.cacheKey(code: code)
            let cached = try await finder.peek([key])[key]
            // A stored poster, perhaps a pinned one, needs no further request.
            if let part = finder.cachedPart(cached), let value = part.value {
                return (try JSONBytes.decode(Poster.self, from: value).searchedTitle, part)
            }
            let detail = try await fetchDetail(code)
            guard let value = detail.value else { return (code, detail) }
            let film = try JSONBytes.decode(FilmDetail.self, from: value)
            return (film.title, try await fetchPoster(of: film, cached: cached))
        }
    }

    private func fetchPoster(of film: FilmDetail, cached: CachedParts.Part?) async throws -> PartOutcome {
        let request = PosterRequest(
            code: film.code, title: film.title, year: film.openingDay?.filmYear, isRefresh: isRefresh)
        return try await finder.fetchPart(request, what: FilmPart.poster.what(code: film.code), peeked: cached)
    }

    /// The image of a poster, as the outcome's attachment; its value is a `PosterImage`.
    ///
    /// - Parameter deadline: nil for the query's deadline.
    public func image(
        of poster: Poster, title: String, deadline: ContinuousClock.Instant? = nil
    ) async throws -> PartOutcome {
        try await publishingLifecycle(of: "poster.image", attributes: ["title": .text(title)], decisivePart: \.self) {
            let request = PosterImageRequest(title: title, poster: poster, isRefresh: isRefresh)
            // The cache has it only for the poster-resolver.
            return try await finder.fetchPart(request, what: "image \(title)", peeked: nil, deadline: deadline)
        }
    }

    /// The cached parts of these keys, even under a policy that fetches parts anew.
    public func peek(_ keys: [String]) async throws -> CachedParts {
        defer { finder.log.finish() }
        return try await finder.peekUnderAnyPolicy(keys)
    }

    private func fetchDetail(_ code: String) async throws -> PartOutcome {
        let request = DetailRequest(code: code, isRefresh: isRefresh)
        let cached = try await finder.peek([request.cacheKey])[request.cacheKey]
        return try await finder.fetchPart(request, what: FilmPart.detail.what(code: code), peeked: cached)
    }

    // MARK: Events

    /// Publishes `query.started` and `query.answered` around `body`.
    ///
    /// - Parameter decisivePart: the part whose missing value makes the whole answer a failure.
    func publishingLifecycle<Answer>(
        of command: String, attributes: [String: AttributeValue], decisivePart: (Answer) -> PartOutcome,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        let start = publishStart(of: command, attributes)
        return try await publishingEnd(of: command, since: start, decisivePart: decisivePart, body)
    }

    func publishingEnd<Answer>(
        of command: String, since start: ContinuousClock.Instant, decisivePart: (Answer) -> PartOutcome,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            let answer = try await body()
            publishEnd(of: command, decisivePart(answer).value == nil ? .failed : .ok, since: start)
            return answer
        } catch {
            publishEnd(of: command, .failed, since: start)
            throw error
        }
    }

    func publishStart(
        of command: String, _ attributes: [String: AttributeValue]
    ) -> ContinuousClock.Instant {
        finder.publish(.queryStarted, nil, attributes.merging(["command": .text(command)]) { $1 })
        return .now
    }

    func publishEnd(of command: String, _ status: ReplyStatus, since start: ContinuousClock.Instant) {
        finder.log.finish()
        finder.publish(
            .queryAnswered, nil,
            [
                "command": .text(command), "status": .text(status.rawValue),
                "tookMicroseconds": .number((ContinuousClock.now - start).wholeMicroseconds),
            ])
    }
}
