import Contracts
import Envelope
import MessageBus
import ServiceKit
import TerminalText

/// Where the gateway gets parts from: a look into the cache, then a question to a fetcher.
struct PartFinder: Sendable {
    /// A key as the peek found it.
    struct Peeked: Sendable {
        let entry: CachedEntry
        let value: [UInt8]?
    }

    let bus: MessageBus
    let requests: SharedRequests
    let trace: Trace
    let deadline: ContinuousClock.Instant
    let clock: WallClock
    let log: QueryLog
    let policy: AnswerPolicy
    let progress: QueryProgress?

    /// The first pause before a request that was refused for want of room is sent again; it doubles up to the longest.
    private static let firstPause: Duration = .milliseconds(20)
    private static let longestPause: Duration = .milliseconds(400)

    /// How long a posted request may take, however short this query's own deadline is.
    private static let revalidation: Duration = .seconds(5)

    /// The value as peeked when it is good enough; else the fetcher's answer, or a stale value for want of it.
    ///
    /// - Parameter deadline: nil for that of the query.
    func part(
        _ request: BusRequest, what: String, peeked: Peeked?, deadline: ContinuousClock.Instant? = nil
    ) async throws -> PartOutcome {
        if let stored = stored(peeked) { return stored }
        do {
            if let stale = try await revalidated(request, what: what, peeked: peeked) { return stale }
            let reply = try await fetched(request, what: what, deadline: deadline ?? self.deadline)
            let header = reply.envelope.header
            switch header.status {
            case .ok, nil:
                guard !reply.envelope.payload.isEmpty else {
                    throw Failure.malformedEnvelope("an answer without a payload")
                }
                return .fresh(
                    reply.envelope.payload, attachment: reply.envelope.attachments.first, cache: header.cache,
                    sender: header.sender)
            case .stale:
                guard !reply.envelope.payload.isEmpty else {
                    throw header.failure ?? .malformedEnvelope("an answer without a payload")
                }
                guard policy.allows(ttl: header.cache?.ttl) else { throw header.failure ?? .tooOld(header.cache?.ttl) }
                return .stale(
                    reply.envelope.payload, attachment: reply.envelope.attachments.first, failure: header.failure,
                    cache: header.cache, sender: header.sender)
            case .failed:
                throw header.failure ?? Failure.malformedEnvelope("a failure without a reason")
            case let unknown?:
                throw Failure.unknownStatus(unknown, sender: header.sender)
            }
        } catch let failure as Failure {
            guard failure.code != .brokerLost, let value = peeked?.value, let entry = peeked?.entry,
                policy.allows(ttl: entry.ttl)
            else { return .failed(failure) }
            let facts = CacheFacts(hit: true, fwd: .stale, ttl: entry.ttl, age: entry.age)
            return .stale(value, failure: failure, cache: facts, sender: ServiceName.cacheStore)
        }
    }

    /// What needs no question: a fresh value, and offline whatever there is; nil when a fetcher is to be asked.
    func stored(_ peeked: Peeked?) -> PartOutcome? {
        if let fresh = Self.fresh(peeked) { return fresh }
        guard policy.isOffline else { return nil }
        guard let peeked, let value = peeked.value else { return .failed(.notStored) }
        guard policy.allows(ttl: peeked.entry.ttl) else { return .failed(.tooOld(peeked.entry.ttl)) }
        let facts = CacheFacts(hit: true, ttl: peeked.entry.ttl, age: peeked.entry.age)
        return .stale(
            value, failure: nil, cache: facts, sender: ServiceName.cacheStore, attributes: peeked.entry.attributes)
    }

    static func fresh(_ peeked: Peeked?) -> PartOutcome? {
        guard let peeked, peeked.entry.state == .fresh, let value = peeked.value else { return nil }
        let facts = CacheFacts(hit: true, ttl: peeked.entry.ttl, age: peeked.entry.age)
        return .fresh(value, cache: facts, sender: ServiceName.cacheStore, attributes: peeked.entry.attributes)
    }

    /// A stale value that is good enough for now; it is fetched anew for whoever asks next.
    private func revalidated(_ request: BusRequest, what: String, peeked: Peeked?) async throws -> PartOutcome? {
        guard let peeked, peeked.entry.state == .stale, let value = peeked.value,
            policy.revalidates(ttl: peeked.entry.ttl),
            try await bus.post(request, deadline: max(deadline, .now + Self.revalidation))
        else { return nil }
        publish(
            EventKind.partRevalidating, trace.requestText(call: request.call),
            ["service": .text(request.service), "what": .text(what)])
        log.posted(log.begin(request, what: what))
        let facts = CacheFacts(
            hit: true, ttl: peeked.entry.ttl, age: peeked.entry.age, detail: PartOutcome.revalidating)
        return .stale(
            value, failure: nil, cache: facts, sender: ServiceName.cacheStore, attributes: peeked.entry.attributes)
    }

    /// Asks a fetcher, unless an identical request is in flight in this process: then it shares its reply.
    private func fetched(
        _ request: BusRequest, what: String, deadline: ContinuousClock.Instant
    ) async throws -> BusReply {
        let awaited = AwaitedParts.Kind(requestKind: request.kind)
        if let awaited { progress?.asked(awaited) }
        defer { if let awaited { progress?.ended(awaited) } }
        let step = log.begin(request, what: what)
        do {
            let (reply, isShared) = try await requests.reply(to: request, deadline: deadline) {
                try await sendUntilTaken(request, what: what, deadline: deadline)
            }
            log.ended(step, reply, isShared: isShared)
            return reply
        } catch let failure as Failure {
            log.ended(step, failure)
            throw failure
        }
    }

    /// Sends the request, and sends it again while it is refused for want of room and there is time.
    private func sendUntilTaken(
        _ request: BusRequest, what: String, deadline: ContinuousClock.Instant
    ) async throws -> BusReply {
        var request = request
        var pause = Self.firstPause
        while true {
            let refusal: Failure
            do {
                let reply = try await send(request, what: what, deadline: deadline)
                guard let failure = reply.envelope.header.failure, reply.envelope.header.status == .failed,
                    Self.isWantOfRoom(failure), canWait(pause, deadline)
                else { return reply }
                refusal = failure
            } catch let failure as Failure where Self.isWantOfRoom(failure) && canWait(pause, deadline) {
                refusal = failure
            }
            publish(
                EventKind.partRefused, trace.requestText(call: request.call),
                ["what": .text(what), "code": .text(refusal.code.rawValue)])
            // With jitter: those that were refused together must not come back together.
            try await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
            pause = min(pause * 2, Self.longestPause)
            request = request.repeated()
        }
    }

    private static func isWantOfRoom(_ failure: Failure) -> Bool {
        failure.isRetryable && (failure.code == .overloaded || failure.code == .busy)
    }

    private func canWait(_ pause: Duration, _ deadline: ContinuousClock.Instant) -> Bool {
        .now + pause * 2 < deadline
    }

    /// Sends one message to a fetcher and publishes what becomes of it.
    private func send(_ request: BusRequest, what: String, deadline: ContinuousClock.Instant) async throws -> BusReply {
        let id = trace.requestText(call: request.call)
        publish(
            EventKind.partRequested, id,
            ["kind": .text(request.kind), "service": .text(request.service), "what": .text(what)])
        do {
            let reply = try await bus.request(request, deadline: deadline)
            publish(
                EventKind.partArrived, id,
                [
                    "what": .text(what), "status": .text(reply.envelope.header.status?.rawValue ?? "ok"),
                    "tookMicroseconds": .number(reply.took.wholeMicroseconds),
                ])
            return reply
        } catch let failure as Failure {
            publish(EventKind.partMissed, id, ["what": .text(what), "code": .text(failure.code.rawValue)])
            throw failure
        }
    }

    func publish(_ kind: String, _ request: String? = nil, _ facts: [String: Fact]) {
        bus.publish(
            Event(
                at: clock.microseconds, kind: kind, source: bus.instance, query: trace.queryText, request: request,
                facts: facts))
    }
}

extension Failure {
    static let notStored = Failure(
        .notStored,
        LocalizedText(
            ko: "저장된 자료가 없습니다. --offline 없이 물어보세요.", en: "Nothing is stored. Ask without --offline."),
        isRetryable: false)

    /// - Parameter ttl: of the value, as an entry of the cache tells it.
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
                ko: "저장된 자료의 신선 기한이\(ko) 지났습니다. --max-stale을 늘리거나 빼세요.",
                en: "What is stored is past its freshness\(en). Allow more by --max-stale, or leave it out."),
            isRetryable: false)
    }

    /// Nobody can say whether what came with such a status is good.
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
