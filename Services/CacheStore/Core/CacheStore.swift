import CacheStoreMachine
import Contracts
import Domain
import Envelope
import Localization
public import MessageBus
public import ProcessKit
public import ServiceKit

/// Answers the cache's requests from a tiered store, a table of leases and a ledger of calls.
public struct CacheStore: Sendable {
    private let store: TieredStore
    private let leases: LeaseTable
    private let failures = FailureMemory()
    private let quota: QuotaLedger
    private let pins: PinStore
    private let state: StateConnection
    private let clock: WallClock

    public init(
        store: TieredStore, leases: LeaseTable, quota: QuotaLedger, pins: PinStore, state: StateConnection,
        clock: WallClock
    ) {
        self.store = store
        self.leases = leases
        self.quota = quota
        self.pins = pins
        self.state = state
        self.clock = clock
    }

    public func answer(_ request: IncomingRequest) async throws -> ServiceAnswer {
        let payload = request.envelope.payload
        switch request.envelope.header.kind {
        case CachePeekRequest.kind:
            return try await PeekHandler(store: store, pins: pins, clock: clock)
                .answer(JSONBytes.decode(CachePeekRequest.self, from: payload))
        case CacheGetRequest.kind:
            let get = try JSONBytes.decode(CacheGetRequest.self, from: payload)
            let header = request.envelope.header
            let work = header.parent.map { "\(header.query)\($0)" }
            var answer = try await self.get(
                get, for: work, of: request.trace.requestClass, deadline: request.deadline)
            answer.attributes["key"] = .text(get.key)
            answer.attributes["holder"] = .text(get.holder)
            return answer
        case CachePutRequest.kind:
            let put = try JSONBytes.decode(CachePutRequest.self, from: payload)
            var answer = try await self.put(put, value: request.envelope.attachments.first)
            answer.attributes["key"] = .text(put.key)
            answer.attributes["bytes"] = .number(request.envelope.attachments.first?.count ?? 0)
            answer.attributes["freshSeconds"] = .number(put.freshFor.value)
            return answer
        case CacheRenewRequest.kind:
            let renew = try JSONBytes.decode(CacheRenewRequest.self, from: payload)
            return try await acknowledgement(of: leases.renew(renew.key, lease: renew.lease))
        case CacheReleaseRequest.kind:
            return try await release(
                JSONBytes.decode(CacheReleaseRequest.self, from: payload), rank: request.trace.requestClass.rank)
        case CacheStatsRequest.kind, CachePurgeRequest.kind, CacheClearRequest.kind:
            return try await CacheMaintenanceHandler(store: store, failures: failures, state: state, clock: clock)
                .answer(request)
        case CachePinRequest.kind, CacheUnpinRequest.kind:
            return try await PinHandler(pins: pins).answer(request)
        case QuotaTakeRequest.kind, QuotaExhaustedRequest.kind, QuotaListRequest.kind:
            return try await QuotaHandler(ledger: quota, clock: clock).answer(request)
        default:
            throw Failure.unknownKind(request.envelope.header.kind, service: ServiceName.cacheStore)
        }
    }

    /// - Parameters:
    ///   - work: the request that the caller works on.
    private func get(
        _ request: CacheGetRequest, for work: String?, of requestClass: RequestClass, deadline: ContinuousClock.Instant
    ) async throws -> ServiceAnswer {
        // A pinned entry is not fetched again, not even by a refresh.
        if let pinned = await pins.entry(request.key) { return try answer(request.key, pinned) }
        let changes = await store.changes
        let stored = try await entry(request.key)
        if let answer = try await immediateAnswer(to: request, stored) { return answer }
        switch await leases.ask(
            request.key, holder: request.holder, request: work, rank: requestClass.rank, deadline: deadline)
        {
        case .granted(let lease):
            // A put may have been committed since the read above, or a failure remembered; then no fetch is needed.
            let current = try await store.changes == changes ? stored : entry(request.key)
            guard let known = try await immediateAnswer(to: request, current) else {
                let isCounted = await count(request.call, of: requestClass, key: request.key, lease: lease)
                return try answer(request.key, current, lease: lease, isCallCounted: isCounted)
            }
            if let failure = known.failure {
                _ = await leases.release(request.key, lease: lease, failure: try JSONBytes.encode(failure))
            } else {
                await leases.complete(request.key, lease: lease)
            }
            return known
        case .shared:
            return try await answer(request.key, entry(request.key), isCollapsed: true)
        case .failed(let bytes):
            var answer = try answer(request.key, stored, isCollapsed: true)
            answer.status = .failed
            answer.failure = try JSONBytes.decode(Failure.self, from: bytes)
            return answer
        case .busy:
            throw Failure.busy
        case .deadlinePassed:
            throw Failure.waitedTooLong(request.key)
        case .shuttingDown:
            throw RequestReturned()
        }
    }

    /// The answer without a fetch, if there is one: a fresh value, or a remembered failure.
    private func immediateAnswer(to request: CacheGetRequest, _ stored: CacheEntry?) async throws -> ServiceAnswer? {
        let now = clock.milliseconds
        guard !request.isRefresh else { return nil }
        if let stored, stored.isFresh(at: now) { return try answer(request.key, stored) }
        guard let remembered = await failures.failure(of: request.key, at: now) else { return nil }
        // A stale value is sent with its own age, since it is the one that is displayed.
        let entry =
            stored.map { CachedEntry($0, key: request.key, now: now) }
            ?? CachedEntry(
                key: request.key, state: .missing, age: Int((now - remembered.at) / 1000),
                ttl: Int((remembered.until - now) / 1000))
        var answer = try ServiceAnswer.json(
            CacheGetReply(entry: entry, lease: nil, isCollapsed: false), attachments: stored.map { [$0.value] } ?? [])
        answer.status = .failed
        answer.failure = try JSONBytes.decode(Failure.self, from: remembered.failure)
        return answer
    }

    /// - Parameter rank: of the request's class, to which alone a failure for the reserve applies.
    private func release(_ request: CacheReleaseRequest, rank: Int) async throws -> ServiceAnswer {
        let failure = try JSONBytes.encode(request.failure)
        // The failure of a holder that has lost its lease is rejected: its successor reports the outcome.
        guard await leases.isCurrent(request.key, lease: request.lease) else { throw Failure.leaseLost }
        if let seconds = request.rememberFor?.value, seconds > 0 {
            let now = clock.milliseconds
            // Before the waiting requests resume: the next request must find it.
            await failures.remember(failure, of: request.key, at: now, until: now + Int64(seconds) * 1000)
        }
        let isReserved = request.failure.code == .quotaReserved
        return try await acknowledgement(
            of: leases.release(
                request.key, lease: request.lease, failure: failure, upTo: isReserved ? rank : nil))
    }

    private func put(_ request: CachePutRequest, value: [UInt8]?) async throws -> ServiceAnswer {
        guard let value else { throw Failure.malformedEnvelope("a put without a value") }
        let fetchedAt = clock.milliseconds - Int64(request.ageMilliseconds?.value ?? 0)
        let outcome = await store.put(
            CacheEntry(
                key: request.key, value: value, attributes: request.attributes, storedAt: fetchedAt,
                freshUntil: fetchedAt + Int64(request.freshFor.value) * 1000, fetchedBy: request.holder))
        await failures.forget(request.key)
        // After the put: a resumed request reads the committed value.
        if let lease = request.lease { await leases.complete(request.key, lease: lease) }
        return try .json(CachePutReply(outcome))
    }

    private func entry(_ key: String) async throws -> CacheEntry? {
        try await store.entries(for: [key], at: clock.milliseconds).first
    }

    /// Counts the first call of the fetch for which a lease was granted, and renews the lease until the count is on
    /// disk: a slow disk must not cost the holder its lease.
    private func count(
        _ call: QuotaTakeRequest?, of requestClass: RequestClass, key: String, lease: String
    ) async -> Bool? {
        guard let call else { return nil }
        return await withTaskGroup(of: Bool?.self) { group in
            group.addTask {
                await QuotaHandler(ledger: quota, clock: clock).take(call, of: requestClass).decision == .granted
            }
            group.addTask {
                // A cancelled sleep means that the count is on disk.
                while (try? await Task.sleep(for: leases.renewal)) != nil {
                    _ = await leases.renew(key, lease: lease)
                }
                return nil
            }
            defer { group.cancelAll() }
            while let isCounted = await group.next() {
                if let isCounted { return isCounted }
            }
            return nil
        }
    }

    private func answer(
        _ key: String, _ stored: CacheEntry?, lease: String? = nil, isCollapsed: Bool = false,
        isCallCounted: Bool? = nil
    ) throws -> ServiceAnswer {
        let reply = CacheGetReply(
            entry: CachedEntry(stored, key: key, now: clock.milliseconds), lease: lease, isCollapsed: isCollapsed,
            isCallCounted: isCallCounted)
        var answer = try ServiceAnswer.json(reply, attachments: stored.map { [$0.value] } ?? [])
        if let lease { answer.attributes["lease"] = .text(lease) }
        return answer
    }

    private func acknowledgement(of isCurrent: Bool) throws -> ServiceAnswer {
        guard isCurrent else { throw Failure.leaseLost }
        return ServiceAnswer()
    }
}

extension CachedEntry {
    init(_ entry: CacheEntry?, key: String, now: Int64) {
        guard let entry else {
            self.init(key: key, state: .missing)
            return
        }
        self.init(
            key: key, state: entry.isFresh(at: now) ? .fresh : .stale, age: Int(entry.age(at: now) / 1000),
            ttl: Int(min(entry.timeToLive(at: now), 10 * 366 * 86_400_000) / 1000), attributes: entry.attributes)
    }
}

extension CachePutReply {
    init(_ outcome: PutOutcome) {
        switch outcome {
        case .stored, .storedInMemory: self.init(isStored: true, reason: nil)
        case .keptInMemory: self.init(isStored: true, reason: "kept in memory only: the disk fails")
        case .refusedTooLarge: self.init(isStored: false, reason: "too large for the cache")
        case .superseded: self.init(isStored: false, reason: "a newer one is stored")
        }
    }
}

extension Failure {
    static let busy = Failure(
        .busy,
        LocalizedText(
            ko: "캐시에 기다리는 요청이 너무 많습니다. 잠시 뒤에 다시 시도하세요.",
            en: "Too many requests wait at the cache. Try again in a moment."),
        isRetryable: true)

    static let leaseLost = Failure(
        .busy, LocalizedText(ko: "가져오기 권한이 다른 프로그램에 넘어갔습니다.", en: "The lease has passed to another instance."),
        isRetryable: true)

    static func waitedTooLong(_ key: String) -> Failure {
        Failure(
            .timeout,
            LocalizedText(
                ko: "다른 프로그램이 가져오는 것을 기다리다 시간이 지났습니다(\(key)).", en: "Another instance did not fetch \(key) in time."),
            isRetryable: true)
    }
}
