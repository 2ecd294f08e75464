internal import Contracts
public import Domain
internal import Envelope

/// A chart with the parts of its films.
extension Query {
    /// A chart with a detail and a poster for each of its first `top` films.
    ///
    /// - Parameters:
    ///   - partLimit: how long details and posters may take after the chart has arrived; nil: until the deadline.
    ///   - refreshesStale: continues after an answer with parts that are being revalidated (see
    ///     `AnswerPolicy.staleWhileRevalidate`), until they are fresh or the deadline.
    ///   - onSnapshot: receives the answer so far: first the chart with the cached parts, then again after each
    ///     part. Parts that arrive during a call wait for its end.
    public func show(
        _ selection: ChartSelection, top: Int, partLimit: Duration? = nil, refreshesStale: Bool = false,
        onSnapshot: ((ShowAssembly) async throws -> Void)? = nil
    ) async throws -> ShowAssembly {
        let started = try await start(selection, top: top)
        return try await publishingEnd(of: started) {
            try await onSnapshot?(started.assembly)
            let first = try await complete(started, partLimit, onSnapshot: onSnapshot)
            guard refreshesStale, first.parts.contains(where: \.isRevalidating) else { return first }
            var next = self
            next.finder.policy.staleWhileRevalidate = .zero
            let report = onSnapshot.map { report in
                { (snapshot: ShowAssembly) in try await report(snapshot.filled(from: first)) }
            }
            let again = try await next.begin(selection, top: top, since: started.start)
            try await report?(again.assembly)
            return try await next.complete(again, partLimit, onSnapshot: report)
        }
    }

    /// The first part of `show`: the chart, and what the cache has of its films.
    ///
    /// The caller then calls `finish` once, which publishes the end of the query.
    public func start(_ selection: ChartSelection, top: Int) async throws -> StartedShow {
        let start = publishStart(
            of: "show",
            [
                "date": .text(selection.days.lowerBound.iso), "kind": .text(selection.kind.rawValue),
                "top": .number(top),
            ])
        do {
            return try await begin(selection, top: top, since: start)
        } catch {
            publishEnd(of: "show", .failed, since: start)
            throw error
        }
    }

    /// Fetches the parts that the cache did not have.
    ///
    /// - Parameters:
    ///   - partLimit: how long they may take from now on; nil: until the deadline.
    ///   - onSnapshot: receives the answer after each part.
    public func finish(
        _ started: StartedShow, partLimit: Duration? = nil,
        onSnapshot: ((ShowAssembly) async throws -> Void)? = nil
    ) async throws -> ShowAssembly {
        try await publishingEnd(of: started) { try await complete(started, partLimit, onSnapshot: onSnapshot) }
    }

    private func publishingEnd(
        of started: StartedShow, _ body: () async throws -> ShowAssembly
    ) async throws -> ShowAssembly {
        try await publishingEnd(of: "show", since: started.start, decisivePart: \.chart, body)
    }

    /// The chart with the cached parts of its films.
    private func begin(
        _ selection: ChartSelection, top: Int, since start: ContinuousClock.Instant
    ) async throws -> StartedShow {
        let films = CachePeekRequest.Following(
            attribute: ChartRequest.filmsAttribute, limit: ItemLimit(clamping: top),
            prefixes: FilmPart.allCases.map(\.cacheKeyPrefix))
        let (chart, cached) = try await fetchChart(selection, following: films)
        var assembly: ShowAssembly
        do {
            assembly = ShowAssembly(selection, chart: chart, codes: try Self.filmCodes(of: chart, top: top))
        } catch is DecodingError {
            let unreadable = PartOutcome.failed(.unreadable, cache: chart.cache, sender: chart.sender)
            assembly = ShowAssembly(selection, chart: unreadable, codes: [])
        }
        let peeked: CachedParts
        do {
            let keys = assembly.films.flatMap { FilmPart.cacheKeys(code: $0.code) }
            let unknown = keys.filter { cached[$0] == nil }
            peeked = unknown.isEmpty ? cached : try await cached.merging(finder.peek(unknown))
        } catch let failure as Failure where policy.isOffline {
            // The chart is present all the same.
            for slot in assembly.missing { assembly.receive(.failed(failure), for: slot) }
            return StartedShow(assembly: assembly, peeked: cached, start: start)
        }
        for slot in assembly.missing {
            let key = slot.part.cacheKey(code: assembly.films[slot.film].code)
            if let part = finder.cachedPart(peeked[key]) { assembly.receive(part, for: slot) }
        }
        return StartedShow(assembly: assembly, peeked: peeked, start: start)
    }

    private static func filmCodes(of chart: PartOutcome, top: Int) throws -> [String] {
        guard let value = chart.value else { return [] }
        if let codes = chart.attributes[ChartRequest.filmsAttribute] {
            return CachePeekRequest.Following.items(in: codes, atMost: top)
        }
        return try JSONBytes.decode(Chart.self, from: value).entries.prefix(top).map(\.code)
    }

    /// Fetches the missing parts of a chart's films.
    private func complete(
        _ started: StartedShow, _ partLimit: Duration?, onSnapshot: ((ShowAssembly) async throws -> Void)?
    ) async throws -> ShowAssembly {
        var assembly = started.assembly
        let missing = assembly.missing
        guard !missing.isEmpty, let value = assembly.chart.value else { return assembly }
        let query = partLimit.map(limited) ?? self
        // Only a request needs the chart's titles; an answer from the cache decodes nothing.
        let entries = Dictionary(
            try JSONBytes.decode(Chart.self, from: value).entries.map { ($0.code, $0) },
            uniquingKeysWith: { first, _ in first })
        let films = assembly.films
        try await withThrowingTaskGroup(of: (ShowAssembly.Slot, PartOutcome).self) { group in
            for slot in missing {
                let (part, code) = (slot.part, films[slot.film].code)
                let request = part.request(code: code, film: entries[code], isRefresh: isRefresh)
                let cached = started.peeked[part.cacheKey(code: code)]
                group.addTask {
                    (slot, try await query.finder.fetchPart(request, what: part.what(code: code), peeked: cached))
                }
            }
            for try await (slot, outcome) in group {
                assembly.receive(outcome, for: slot)
                try await onSnapshot?(assembly)
            }
        }
        return assembly
    }
}

/// A query whose chart has arrived, with the cached parts of its films.
public struct StartedShow: Sendable {
    public let assembly: ShowAssembly
    let peeked: CachedParts
    let start: ContinuousClock.Instant
}
