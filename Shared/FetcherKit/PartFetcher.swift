internal import BoxOffice
internal import Contracts
internal import Envelope
public import Logging
public import MessageBus
public import ProcessKit
public import ServiceKit
public import Upstream

/// The way of every fetcher: ask the cache, fetch under its lease, store, answer.
///
/// Identical requests within the process share one flight; across processes the cache's lease does. A flight runs under
/// the fetcher's own budget, not under the first asker's deadline, so that what has been paid for is stored.
public actor PartFetcher {
    /// Asks the upstream until the deadline; false when cache-store is away, so that nobody counts the calls.
    public typealias Fetch = @Sendable (ContinuousClock.Instant, _ isCounted: Bool) async throws -> FetchedPart

    private struct InFlightFetch {
        let key: String
        let isRefresh: Bool
        let form: PartForm
    }

    private let bus: MessageBus
    private let cache: CacheClient
    private let clock: WallClock
    private let logger: Logger
    private let retry: UpstreamRetry
    private let policy = FreshnessPolicy()
    /// Who waits for the flights under way, by key.
    private var waiters: [String: [CheckedContinuation<ServiceAnswer, Never>]] = [:]

    public init(bus: MessageBus, retry: UpstreamRetry, clock: WallClock = .system, logger: Logger) {
        self.bus = bus
        self.retry = retry
        self.clock = clock
        self.logger = logger
        cache = CacheClient(bus: bus)
    }

    /// - Parameters:
    ///   - meter: counts what `fetch` does at the upstream.
    ///   - fetch: gets the deadline that it has to keep by itself.
    public func answer(
        key: String, isRefresh: Bool, form: PartForm = .payload, trace: Trace, meter: UpstreamMeter,
        fetch: @escaping Fetch
    ) async -> ServiceAnswer {
        while waiters[key] != nil {
            var answer = await withCheckedContinuation { waiters[key]?.append($0) }
            // What was stored all along is no refresh: that flight fetched nothing.
            if isRefresh, answer.cache?.hit == true, answer.cache?.collapsed != true { continue }
            answer.cache?.collapsed = true
            answer.cache?.stored = nil
            answer.upstream = nil
            return answer
        }
        waiters[key] = []
        var answer = await fly(InFlightFetch(key: key, isRefresh: isRefresh, form: form), trace: trace, fetch: fetch)
        answer.upstream = meter.use
        for waiter in waiters.removeValue(forKey: key) ?? [] { waiter.resume(returning: answer) }
        return answer
    }

    private func fly(_ flight: InFlightFetch, trace: Trace, fetch: @escaping Fetch) async -> ServiceAnswer {
        let deadline = ContinuousClock.now + FetcherTiming.fetchBudget(retry)
        let request = CacheGetRequest(key: flight.key, holder: bus.instance, isRefresh: flight.isRefresh)
        do {
            while true {
                let asked = ContinuousClock.now
                let cached = try await cache.get(request, trace: trace, deadline: deadline)
                guard let lease = cached.reply.lease else { return Self.answer(from: cached, as: flight.form) }
                // A lease that was long on its way may have passed on already; then another fetches.
                if .now - asked >= FetcherTiming.renewal, try await !isCurrent(lease, of: flight.key, trace: trace) {
                    continue
                }
                return await fetchUnderLease(
                    lease, cached, flight: flight, trace: trace, deadline: deadline, fetch: fetch)
            }
        } catch let failure as Failure where failure.code == .unavailable {
            return await fetchUncached(flight, deadline: deadline, fetch: fetch)
        } catch {
            return .failed(Failure(from: error))
        }
    }

    /// Renews a lease to see whether it is still this instance's.
    private func isCurrent(_ lease: String, of key: String, trace: Trace) async throws -> Bool {
        do {
            try await cache.renew(
                CacheRenewRequest(key: key, lease: lease), trace: trace, deadline: .now + FetcherTiming.renewal)
            return true
        } catch let failure as Failure where failure.code != .unavailable {
            logger.debug("a lease came too late", metadata: ["code": "\(failure.code.rawValue)"])
            return false
        }
    }

    /// A hit, or the outcome of another instance's flight.
    private static func answer(from cached: CacheClient.Answer, as form: PartForm) -> ServiceAnswer {
        let entry = cached.reply.entry
        // A failure that nobody was waited for is one that the cache remembers.
        let isHit = cached.failure == nil || !cached.reply.isCollapsed
        let cacheStatus = CacheStatus(
            hit: isHit, fwd: isHit ? nil : .uriMiss, collapsed: cached.reply.isCollapsed ? true : nil, ttl: entry.ttl,
            age: entry.age)
        guard let value = cached.value else {
            var answer = ServiceAnswer.failed(cached.failure ?? .missing(entry.key))
            answer.cache = cacheStatus
            return answer
        }
        return ServiceAnswer(
            status: cached.failure == nil ? .ok : .stale, form.parts(value, entry.attributes), failure: cached.failure,
            cache: cacheStatus)
    }

    private func fetchUnderLease(
        _ lease: String, _ cached: CacheClient.Answer, flight: InFlightFetch, trace: Trace,
        deadline: ContinuousClock.Instant, fetch: @escaping Fetch
    ) async -> ServiceAnswer {
        let forward: CacheStatus.Forward = flight.isRefresh ? .bypass : cached.value == nil ? .uriMiss : .stale
        let start = ContinuousClock.now
        do {
            let part = try await renewing(lease, key: flight.key, trace: trace) { try await fetch(deadline, true) }
            let put = CachePutRequest(
                key: flight.key, lease: lease, freshFor: KeepSeconds(clamping: part.freshFor.wholeSeconds),
                attributes: part.attributes,
                holder: bus.instance,
                ageMilliseconds: AgeMilliseconds(clamping: (ContinuousClock.now - start).wholeMicroseconds / 1000))
            let isStored = await store(put, part.value, trace: trace)
            if isStored, let stored = cached.value { tell(part, since: stored, trace: trace) }
            return ServiceAnswer(
                flight.form.parts(part.value, part.attributes),
                cache: CacheStatus(hit: false, fwd: forward, stored: isStored, ttl: part.freshFor.wholeSeconds, age: 0))
        } catch {
            let failure = Failure(from: error)
            await release(
                CacheReleaseRequest(
                    key: flight.key, lease: lease, failure: failure,
                    // What an upstream refused in its own words may be another matter the next time.
                    rememberFor: failure.faultCode == nil
                        ? policy.failures[failure.code].map { KeepSeconds(clamping: $0.wholeSeconds) } : nil),
                trace: trace)
            guard let value = cached.value else {
                var answer = ServiceAnswer.failed(failure)
                answer.cache = CacheStatus(hit: false, fwd: forward)
                return answer
            }
            let entry = cached.reply.entry
            return ServiceAnswer(
                status: .stale, flight.form.parts(value, entry.attributes), failure: failure,
                cache: CacheStatus(hit: false, fwd: forward, ttl: entry.ttl, age: entry.age))
        }
    }

    /// No cache is registered: the answer is good, only nobody keeps it.
    private func fetchUncached(
        _ flight: InFlightFetch, deadline: ContinuousClock.Instant, fetch: Fetch
    ) async -> ServiceAnswer {
        let cacheStatus = CacheStatus(hit: false, fwd: .uriMiss, stored: false, detail: "uncached: cache-store is away")
        do {
            let part = try await fetch(deadline, false)
            return ServiceAnswer(flight.form.parts(part.value, part.attributes), cache: cacheStatus)
        } catch {
            var answer = ServiceAnswer.failed(Failure(from: error))
            answer.cache = cacheStatus
            return answer
        }
    }

    /// Runs the fetch while the lease is renewed beside it.
    private func renewing(
        _ lease: String, key: String, trace: Trace, _ fetch: @escaping @Sendable () async throws -> FetchedPart
    ) async throws -> FetchedPart {
        let renew = CacheRenewRequest(key: key, lease: lease)
        return try await withThrowingTaskGroup(of: FetchedPart?.self) { group in
            group.addTask { try await fetch() }
            group.addTask { [cache, logger] in
                while true {
                    try await Task.sleep(for: FetcherTiming.renewal)
                    do {
                        try await cache.renew(renew, trace: trace, deadline: .now + FetcherTiming.renewal)
                    } catch let failure as Failure {
                        // Without renewal another may fetch too; both are stored, the newer one stays.
                        logger.debug("a lease was not renewed", metadata: ["code": "\(failure.code.rawValue)"])
                    }
                }
            }
            defer { group.cancelAll() }
            while let part = try await group.next() {
                if let part { return part }
            }
            throw CancellationError()
        }
    }

    private func store(_ put: CachePutRequest, _ value: [UInt8], trace: Trace) async -> Bool {
        do {
            return try await cache.put(put, value: value, trace: trace, deadline: .now + FetcherTiming.cacheRequest)
                .isStored
        } catch {
            logger.warning("an answer was not stored", metadata: ["cache.key": "\(put.key)", "error": "\(error)"])
            return false
        }
    }

    /// Tells the event stream of what has changed; whoever watches a chart waits for it.
    private func tell(_ part: FetchedPart, since stored: [UInt8], trace: Trace) {
        do {
            guard let revision = try part.revision(stored) else { return }
            bus.publish(
                Event(
                    at: clock.microseconds, kind: revision.kind, source: bus.instance, query: trace.queryText,
                    attributes: revision.attributes))
        } catch {
            // An entry of an earlier release may not be readable any more.
            logger.warning("what was stored cannot be compared", metadata: ["error": "\(error)"])
        }
    }

    private func release(_ request: CacheReleaseRequest, trace: Trace) async {
        do {
            try await cache.release(request, trace: trace, deadline: .now + FetcherTiming.cacheRequest)
        } catch {
            // The lease ends by itself when it is not renewed.
            logger.debug("a lease was not released", metadata: ["cache.key": "\(request.key)", "error": "\(error)"])
        }
    }
}

extension ServiceAnswer {
    fileprivate init(
        status: ReplyStatus = .ok, _ parts: (payload: [UInt8], attachments: [[UInt8]]), failure: Failure? = nil,
        cache: CacheStatus
    ) {
        self.init(
            status: status, payload: parts.payload, attachments: parts.attachments, failure: failure, cache: cache)
    }
}

extension Duration {
    fileprivate var wholeSeconds: Int { Int(components.seconds) }
}
