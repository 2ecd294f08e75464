internal import Contracts
internal import Domain
internal import Envelope
public import Logging
public import MessageBus
public import ProcessKit
public import ServiceKit
public import Upstream

/// Answers requests for parts: reads the cache, fetches under its lease, stores, answers.
///
/// Identical requests within a process share one in-flight fetch; across processes they share the lease of the cache. A
/// fetch has the time budget of the fetcher, even when its first requester has less time: a value that cost quota is
/// stored.
public actor PartFetcher {
    /// Fetches from the upstream.
    public typealias Fetch = @Sendable (FetchTerms) async throws -> FetchedPart

    private struct FetchRequest {
        let key: String
        let isRefresh: Bool
        let form: PartForm
        let trace: Trace
        let deadline: ContinuousClock.Instant
    }

    /// A fetch and the requests that wait for it.
    private struct InFlightFetch {
        let deadline: ContinuousClock.Instant
        /// The highest among its requests.
        var requestClass: RequestClass
        var waiters: [CheckedContinuation<ServiceAnswer, Never>] = []
    }

    private let bus: MessageBus
    let cache: CacheClient
    private let clock: WallClock
    let logger: Logger
    private let retry: UpstreamRetry
    private let policy = FreshnessPolicy()
    /// By key.
    private var inFlight: [String: InFlightFetch] = [:]

    public init(bus: MessageBus, retry: UpstreamRetry, clock: WallClock = .system, logger: Logger) {
        self.bus = bus
        self.retry = retry
        self.clock = clock
        self.logger = logger
        cache = CacheClient(bus: bus)
    }

    /// - Parameters:
    ///   - meter: counts the upstream calls of `fetch`.
    ///   - callerDeadline: the fetch may use this time, and at least the budget of the fetcher.
    ///   - gate: of the fetch, whose first call is counted with the lease; nil to count each call by itself.
    ///   - fetch: receives the deadline and must keep it.
    public func answer(
        key: String, isRefresh: Bool, form: PartForm = .payload, trace: Trace, meter: UpstreamMeter,
        callerDeadline: ContinuousClock.Instant = .now, gate: UpstreamGate? = nil, fetch: @escaping Fetch
    ) async -> ServiceAnswer {
        while let running = inFlight[key] {
            inFlight[key]?.requestClass = max(running.requestClass, trace.requestClass)
            var answer = await withCheckedContinuation { inFlight[key]?.waiters.append($0) }
            // A hit is no refresh: the in-flight request did not fetch.
            if isRefresh, answer.cache?.hit == true, answer.cache?.collapsed != true { continue }
            // The calls that are reserved may be for this request.
            if answer.failure?.code == .quotaReserved, trace.requestClass > running.requestClass { continue }
            // The fetch had less time than this request has.
            if [.upstreamTimeout, .timeout].contains(answer.failure?.code), callerDeadline > running.deadline,
                hasTime(until: callerDeadline)
            {
                continue
            }
            answer.cache?.collapsed = true
            answer.cache?.stored = nil
            answer.upstream = nil
            return answer
        }
        let deadline = max(.now + FetcherTiming.fetchBudget(retry), callerDeadline)
        inFlight[key] = InFlightFetch(deadline: deadline, requestClass: trace.requestClass)
        let request = FetchRequest(key: key, isRefresh: isRefresh, form: form, trace: trace, deadline: deadline)
        var answer = await fetchOnce(request, gate) { try await fetch($0).from(meter.source) }
        answer.upstream = meter.use
        for waiter in inFlight.removeValue(forKey: key)?.waiters ?? [] { waiter.resume(returning: answer) }
        return answer
    }

    /// Whether a fetch can begin that ends before the deadline.
    private func hasTime(until deadline: ContinuousClock.Instant) -> Bool {
        deadline - .now >= retry.usualAttempt + FetcherTiming.cacheRequest
    }

    private func terms(
        of request: FetchRequest, deadline: ContinuousClock.Instant, isCounted: Bool, firstCall: CountedCall? = nil
    ) -> FetchTerms {
        // Enough is left to store the answer, or to tell the caller why there is none.
        FetchTerms(deadline: deadline - FetcherTiming.cacheRequest, isCounted: isCounted, firstCall: firstCall) {
            [self] in
            await trace(of: request)
        }
    }

    /// With the class that the fetch has by now.
    private func trace(of request: FetchRequest) -> Trace {
        var trace = request.trace
        trace.requestClass = inFlight[request.key]?.requestClass ?? trace.requestClass
        return trace
    }

    /// Asks for the value or a lease.
    private func get(
        _ fetchRequest: FetchRequest, _ gate: UpstreamGate?, deadline: ContinuousClock.Instant
    ) async throws -> CacheClient.Answer {
        let call = await gate?.beginFirstCall()
        let request = CacheGetRequest(
            key: fetchRequest.key, holder: bus.instance, isRefresh: fetchRequest.isRefresh, call: call)
        do {
            let cached = try await cache.get(request, trace: fetchRequest.trace, deadline: deadline)
            if let call { await gate?.endFirstCall(call, isAnswered: cached.reply.isCallCounted != nil) }
            return cached
        } catch {
            if let call { await gate?.endFirstCall(call, isAnswered: false) }
            throw error
        }
    }

    private func fetchOnce(
        _ fetchRequest: FetchRequest, _ gate: UpstreamGate?, fetch: @escaping Fetch
    ) async -> ServiceAnswer {
        let (deadline, trace) = (fetchRequest.deadline, fetchRequest.trace)
        do {
            var isRepeated = false
            while true {
                let requestedAt = ContinuousClock.now
                let cached = try await get(fetchRequest, gate, deadline: deadline)
                guard let lease = cached.reply.lease else {
                    // The fetch of another instance may have had less time than this one.
                    let isOthersTimeout = cached.reply.isCollapsed && cached.failure?.code == .upstreamTimeout
                    if isOthersTimeout, !isRepeated, hasTime(until: deadline) {
                        isRepeated = true
                        continue
                    }
                    return Self.answer(from: cached, as: fetchRequest.form)
                }
                // A lease that arrives late may have expired; then another instance fetches.
                if .now - requestedAt >= FetcherTiming.renewal,
                    try await !renewIfCurrent(lease, of: fetchRequest.key, trace: trace)
                {
                    continue
                }
                return await fetchUnderLease(
                    lease, cached, fetchRequest: fetchRequest, deadline: deadline, fetch: fetch)
            }
        } catch let failure as Failure where failure.isOfLostCache {
            return await fetchUncached(fetchRequest, deadline: deadline, fetch: fetch)
        } catch {
            return .failed(Failure(from: error))
        }
    }

    /// A hit, or the result of the fetch of another instance.
    private static func answer(from cached: CacheClient.Answer, as form: PartForm) -> ServiceAnswer {
        let entry = cached.reply.entry
        // A failure without a wait is one that the cache remembers.
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
            status: cached.failure == nil ? .ok : .stale, form, value, entry.attributes, failure: cached.failure,
            cache: cacheStatus)
    }

    private func fetchUnderLease(
        _ lease: String, _ cached: CacheClient.Answer, fetchRequest: FetchRequest, deadline: ContinuousClock.Instant,
        fetch: @escaping Fetch
    ) async -> ServiceAnswer {
        let trace = fetchRequest.trace
        let terms = terms(
            of: fetchRequest, deadline: deadline, isCounted: true,
            firstCall: cached.reply.isCallCounted == true ? CountedCall() : nil)
        let forward: CacheStatus.Forward = fetchRequest.isRefresh ? .bypass : cached.value == nil ? .uriMiss : .stale
        let start = ContinuousClock.now
        do {
            let part = try await withRenewal(lease, key: fetchRequest.key, trace: trace) {
                try await fetch(terms)
            }
            let put = CachePutRequest(
                key: fetchRequest.key, lease: lease, freshFor: KeepSeconds(clamping: part.freshFor.wholeSeconds),
                attributes: part.attributes,
                holder: bus.instance,
                ageMilliseconds: AgeMilliseconds(clamping: (ContinuousClock.now - start).wholeMicroseconds / 1000))
            let isStored = await store(put, part.value, trace: trace)
            if isStored, let stored = cached.value { publishRevision(part, since: stored, trace: trace) }
            return ServiceAnswer(
                fetchRequest.form, part.value, part.attributes,
                cache: CacheStatus(hit: false, fwd: forward, stored: isStored, ttl: part.freshFor.wholeSeconds, age: 0))
        } catch {
            let failure = Failure(from: error)
            await release(
                CacheReleaseRequest(
                    key: fetchRequest.key, lease: lease, failure: failure,
                    // A refusal with a fault code may change with the next call, so it is not remembered.
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
                status: .stale, fetchRequest.form, value, entry.attributes, failure: failure,
                cache: CacheStatus(hit: false, fwd: forward, ttl: entry.ttl, age: entry.age))
        }
    }

    /// Fetches without the cache: the answer is valid, but not stored.
    private func fetchUncached(
        _ fetchRequest: FetchRequest, deadline: ContinuousClock.Instant, fetch: Fetch
    ) async -> ServiceAnswer {
        let cacheStatus = CacheStatus(
            hit: false, fwd: .uriMiss, stored: false, detail: "uncached: cache-store is unavailable")
        do {
            let part = try await fetch(terms(of: fetchRequest, deadline: deadline, isCounted: false))
            return ServiceAnswer(fetchRequest.form, part.value, part.attributes, cache: cacheStatus)
        } catch {
            var answer = ServiceAnswer.failed(Failure(from: error))
            answer.cache = cacheStatus
            return answer
        }
    }

    /// Publishes the changes as an event, which commands that watch a chart wait for.
    private func publishRevision(_ part: FetchedPart, since stored: [UInt8], trace: Trace) {
        do {
            guard let revision = try part.revision(stored) else { return }
            bus.publish(
                Event(
                    at: clock.microseconds, kind: revision.kind, source: bus.instance, query: trace.queryText,
                    attributes: revision.attributes))
        } catch {
            // An entry of an earlier release may be unreadable.
            logger.warning("what was stored cannot be compared", metadata: ["error": "\(error)"])
        }
    }
}

extension ServiceAnswer {
    /// - Parameter attributes: those that are stored with the value.
    fileprivate init(
        status: ReplyStatus = .ok, _ form: PartForm, _ value: [UInt8], _ attributes: [String: String],
        failure: Failure? = nil, cache: CacheStatus
    ) {
        let parts = form.parts(value, attributes)
        self.init(
            status: status, payload: parts.payload, attachments: parts.attachments, failure: failure, cache: cache,
            source: DataSource(attributes: attributes))
    }
}

extension Duration {
    fileprivate var wholeSeconds: Int { Int(components.seconds) }
}
