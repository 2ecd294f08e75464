internal import Contracts
internal import Envelope
internal import Localization
internal import MessageBus
internal import ProcessKit

/// Gets the parts of one query: from the cache, else from a fetcher.
struct PartFinder: Sendable {
    let bus: MessageBus
    let requests: SharedRequests
    let trace: Trace
    var deadline: ContinuousClock.Instant
    let clock: WallClock
    let log: QueryLog
    var policy: AnswerPolicy
    let progress: QueryProgress?

    /// The cached value when it may serve; else the fetcher's reply, or a stale value in place of its failure.
    ///
    /// - Parameters:
    ///   - what: names the part in events and explanations.
    ///   - peeked: nil when the cache has not been asked.
    ///   - deadline: nil for the query's deadline.
    func fetchPart<Request: PartRequest>(
        _ request: Request, what: String, peeked: CachedParts.Part?, deadline: ContinuousClock.Instant? = nil
    ) async throws -> PartOutcome {
        // A request that is not sent is not encoded either.
        if let cached = cachedPart(peeked) { return cached }
        let message = BusRequest(
            service: Request.service, kind: request.kind, trace: trace, payload: try JSONBytes.encode(request))
        return try await fetchPart(message, what: what, peeked: peeked, deadline: deadline)
    }

    private func fetchPart(
        _ request: BusRequest, what: String, peeked: CachedParts.Part?, deadline: ContinuousClock.Instant?
    ) async throws -> PartOutcome {
        do {
            if let stale = try await revalidate(request, what: what, peeked: peeked) { return stale }
            let reply = try await fetch(request, what: what, deadline: deadline ?? self.deadline)
            let header = reply.envelope.header
            switch header.status {
            case .ok, nil:
                guard !reply.envelope.payload.isEmpty else {
                    throw Failure.malformedEnvelope("an answer without a payload")
                }
                return .fresh(
                    reply.envelope.payload, attachment: reply.envelope.attachments.first, cache: header.cache,
                    sender: header.sender, source: header.source ?? .upstream)
            case .stale:
                guard !reply.envelope.payload.isEmpty else {
                    throw header.failure ?? .malformedEnvelope("an answer without a payload")
                }
                guard policy.allows(ttl: header.cache?.ttl) else { throw header.failure ?? .tooOld(header.cache?.ttl) }
                return .stale(
                    reply.envelope.payload, attachment: reply.envelope.attachments.first, failure: header.failure,
                    cache: header.cache, sender: header.sender, source: header.source ?? .upstream)
            case .failed:
                throw header.failure ?? Failure.malformedEnvelope("a failure without a reason")
            case let unknown?:
                throw Failure.unknownStatus(unknown, sender: header.sender)
            }
        } catch let failure as Failure {
            guard failure.code != .brokerLost, let value = peeked?.value, let entry = peeked?.entry,
                policy.allows(ttl: entry.ttl)
            else { return .failed(failure) }
            let cacheStatus = CacheStatus(hit: true, fwd: .stale, ttl: entry.ttl, age: entry.age)
            return .stale(
                value, failure: failure, cache: cacheStatus, sender: ServiceName.cacheStore, source: entry.source)
        }
    }

    /// The part without a request: a fresh value, or any value offline; nil when a fetcher must be called.
    func cachedPart(_ peeked: CachedParts.Part?) -> PartOutcome? {
        if let fresh = Self.fresh(peeked) { return fresh }
        guard policy.isOffline else { return nil }
        guard let peeked, let value = peeked.value else { return .failed(.notStored) }
        guard policy.allows(ttl: peeked.entry.ttl) else { return .failed(.tooOld(peeked.entry.ttl)) }
        let cacheStatus = CacheStatus(hit: true, ttl: peeked.entry.ttl, age: peeked.entry.age)
        return .stale(
            value, failure: nil, cache: cacheStatus, sender: ServiceName.cacheStore, source: peeked.entry.source,
            attributes: peeked.entry.attributes)
    }

    static func fresh(_ peeked: CachedParts.Part?) -> PartOutcome? {
        guard let peeked, peeked.entry.state == .fresh, let value = peeked.value else { return nil }
        let cacheStatus = CacheStatus(hit: true, ttl: peeked.entry.ttl, age: peeked.entry.age)
        return .fresh(
            value, cache: cacheStatus, sender: ServiceName.cacheStore, source: peeked.entry.source,
            attributes: peeked.entry.attributes)
    }

    /// A stale value that is served at once while a posted request revalidates it; nil when the policy allows none.
    private func revalidate(_ request: BusRequest, what: String, peeked: CachedParts.Part?) async throws -> PartOutcome?
    {
        guard let peeked, peeked.entry.state == .stale, let value = peeked.value,
            policy.revalidates(ttl: peeked.entry.ttl),
            try await bus.post(request, deadline: max(deadline, .now + AssemblyTiming.revalidation))
        else { return nil }
        publish(
            .partRevalidating, trace.requestText(call: request.call),
            ["service": .text(request.service), "what": .text(what)])
        log.post(log.begin(request, what: what))
        let cacheStatus = CacheStatus(
            hit: true, ttl: peeked.entry.ttl, age: peeked.entry.age, detail: PartOutcome.revalidating)
        return .stale(
            value, failure: nil, cache: cacheStatus, sender: ServiceName.cacheStore, source: peeked.entry.source,
            attributes: peeked.entry.attributes)
    }

    /// Calls a fetcher, or shares the reply of an identical request in flight in this process.
    private func fetch(
        _ request: BusRequest, what: String, deadline: ContinuousClock.Instant
    ) async throws -> BusReply {
        let awaited = AwaitedParts.Kind(requestKind: request.kind)
        if let awaited { progress?.begin(awaited) }
        defer { if let awaited { progress?.end(awaited) } }
        let step = log.begin(request, what: what)
        do {
            let (reply, isShared) = try await requests.reply(to: request, deadline: deadline) {
                try await sendUntilAccepted(request, what: what, deadline: deadline)
            }
            log.end(step, reply, isShared: isShared)
            return reply
        } catch let failure as Failure {
            log.end(step, failure)
            throw failure
        }
    }

    /// Sends the request, and repeats it after an overload while time remains.
    private func sendUntilAccepted(
        _ request: BusRequest, what: String, deadline: ContinuousClock.Instant
    ) async throws -> BusReply {
        var request = request
        var pause = AssemblyTiming.firstPause
        while true {
            let refusal: Failure
            do {
                let reply = try await send(request, what: what, deadline: deadline)
                guard let failure = reply.envelope.header.failure, reply.envelope.header.status == .failed,
                    Self.isOverload(failure), canWait(pause, deadline)
                else { return reply }
                refusal = failure
            } catch let failure as Failure where Self.isOverload(failure) && canWait(pause, deadline) {
                refusal = failure
            }
            publish(
                .partRefused, trace.requestText(call: request.call),
                ["what": .text(what), "code": .text(refusal.code.rawValue)])
            // With jitter, so that requests that were refused together are not repeated together.
            try await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
            pause = min(pause * 2, AssemblyTiming.longestPause)
            request = request.repeated()
        }
    }

    private static func isOverload(_ failure: Failure) -> Bool {
        failure.isRetryable && (failure.code == .overloaded || failure.code == .busy)
    }

    private func canWait(_ pause: Duration, _ deadline: ContinuousClock.Instant) -> Bool {
        .now + pause * 2 < deadline
    }

    /// Sends one message to a fetcher and publishes its outcome.
    private func send(_ request: BusRequest, what: String, deadline: ContinuousClock.Instant) async throws -> BusReply {
        let id = trace.requestText(call: request.call)
        publish(
            .partRequested, id,
            ["kind": .text(request.kind), "service": .text(request.service), "what": .text(what)])
        do {
            let reply = try await bus.request(request, deadline: deadline)
            publish(
                .partArrived, id,
                [
                    "what": .text(what), "status": .text(reply.envelope.header.status?.rawValue ?? "ok"),
                    "tookMicroseconds": .number(reply.took.wholeMicroseconds),
                ])
            return reply
        } catch let failure as Failure {
            publish(.partMissed, id, ["what": .text(what), "code": .text(failure.code.rawValue)])
            throw failure
        }
    }

    func publish(_ kind: EventKind, _ request: String? = nil, _ attributes: [String: AttributeValue]) {
        bus.publish(
            Event(
                at: clock.microseconds, kind: kind, source: bus.instance, query: trace.queryText, request: request,
                attributes: attributes))
    }
}

extension Failure {
    static let notStored = Failure(
        .notStored,
        LocalizedText(
            ko: "저장된 자료가 없습니다.", en: "Nothing is stored."),
        isRetryable: false)

    /// - Parameter ttl: of the value, as reported by the cache entry.
    fileprivate static func tooOld(_ ttl: Int?) -> Failure {
        let (ko, en) =
            ttl.map {
                (
                    " \(AgeText(language: .ko).span(0 - max($0, -.max)))",
                    " by \(AgeText(language: .en).span(0 - max($0, -.max)))"
                )
            } ?? ("", "")
        return Failure(
            .tooOld,
            LocalizedText(
                ko: "저장된 자료의 신선 기한이\(ko) 지났습니다.",
                en: "What is stored is past its freshness\(en)."),
            isRetryable: false)
    }

    /// The status is from another release: its value must not be used.
    fileprivate static func unknownStatus(_ status: ReplyStatus, sender: String) -> Failure {
        Failure(
            .unsupportedVersion,
            LocalizedText(
                ko: "\(sender)의 답을 이해할 수 없습니다(상태 \(status.rawValue)). 모든 프로그램을 같은 판으로 맞추세요.",
                en: "The answer of \(sender) is not understood (status \(status.rawValue)). "
                    + "Bring all programs to the same release."),
            isRetryable: false)
    }
}
