internal import BoxOffice
internal import Contracts
internal import Envelope
internal import Localization
internal import Logging
internal import MessageBus
internal import Upstream

/// The cache-store's count of calls, as a fetcher sees it.
actor QuotaClient {
    /// Calls that one process may make while nobody counts.
    static let maxUncounted = 20

    private let bus: MessageBus
    private let account: UpstreamAccount
    private let logger: Logger
    /// Calls made while cache-store was away, told with the next take.
    private var uncounted = 0
    /// Of these, what a take that is on its way tells.
    private var beingTold = 0

    init(bus: MessageBus, account: UpstreamAccount, logger: Logger) {
        self.bus = bus
        self.account = account
        self.logger = logger
    }

    /// Takes one call; returns when it may be made.
    ///
    /// - Throws: `UpstreamError` with code `quotaExceeded` when the day's calls are used up; the cache's `Failure` when it
    ///   could not say, which is worth another try.
    func take(trace: Trace, deadline: ContinuousClock.Instant) async throws {
        let owed = uncounted - beingTold
        beingTold += owed
        let request = QuotaTakeRequest(
            upstream: account.upstream, key: account.key, limit: account.dailyLimit,
            uncounted: UncountedCalls(clamping: owed))
        let reply: QuotaTakeReply
        do {
            reply = try JSONBytes.decode(
                QuotaTakeReply.self, from: try await ask(QuotaTakeRequest.kind, request, trace, deadline).payload)
        } catch let failure as Failure where failure.code == .unavailable {
            beingTold -= owed
            return try acquireUncounted()
        } catch {
            // Perhaps it was counted and only the answer is lost; then a few count twice, which harms nobody.
            beingTold -= owed
            throw error
        }
        beingTold -= owed
        uncounted -= owed
        guard reply.isGranted else { throw UpstreamError.usedUp(reply.status) }
    }

    /// Takes one call while cache-store is away.
    func acquireUncounted() throws {
        guard uncounted < Self.maxUncounted else { throw Failure.nobodyCounts(account.upstream) }
        uncounted += 1
    }

    /// Tells that the upstream says its day is used up.
    func exhausted(trace: Trace) async {
        let request = QuotaExhaustedRequest(
            upstream: account.upstream, key: account.key, limit: account.dailyLimit)
        do {
            _ = try await ask(QuotaExhaustedRequest.kind, request, trace, .now + FetcherTiming.cacheRequest)
        } catch {
            // The next call meets the same refusal.
            logger.debug("a used-up quota was not told", metadata: ["error": "\(error)"])
        }
    }

    private func ask(
        _ kind: String, _ payload: some Encodable, _ trace: Trace, _ deadline: ContinuousClock.Instant
    ) async throws -> Envelope {
        let envelope = try await bus.request(
            BusRequest(
                service: ServiceName.cacheStore, kind: kind, trace: trace, payload: try JSONBytes.encode(payload)),
            deadline: deadline
        ).envelope
        if let failure = envelope.header.failure { throw failure }
        return envelope
    }
}

extension UpstreamError {
    fileprivate static func usedUp(_ status: QuotaStatus) -> UpstreamError {
        let who = status.isExhausted ? "says that the key's calls of \(status.day) are used up" : "is not asked"
        return UpstreamError(
            .quotaExceeded,
            "\(status.upstream) \(who): \(status.used) of \(status.limit) calls are counted; the next day begins at midnight "
                + "in Seoul.")
    }
}

extension Failure {
    /// - Parameter upstream: its name.
    fileprivate static func nobodyCounts(_ upstream: String) -> Failure {
        Failure(
            .unavailable,
            LocalizedText(
                ko: "cache-store가 없어 \(upstream) 호출 수를 셀 수 없습니다. 세지 않은 호출은 \(QuotaClient.maxUncounted)번까지입니다.",
                en: "cache-store is away and nobody counts the calls of \(upstream); a fetcher makes no more than "
                    + "\(QuotaClient.maxUncounted) that are not counted."),
            isRetryable: true)
    }
}
