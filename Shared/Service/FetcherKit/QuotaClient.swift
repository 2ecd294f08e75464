internal import Contracts
internal import Domain
internal import Envelope
internal import Localization
internal import Logging
internal import MessageBus
internal import Upstream

/// Client of the call count in cache-store.
actor QuotaClient {
    /// Calls that one process may make without a count.
    static let maxUncounted = 20

    private let bus: MessageBus
    private let account: UpstreamAccount
    private let logger: Logger
    /// Calls made while cache-store was unavailable; the next take reports them.
    private var uncounted = 0
    /// The part of them that a pending take reports.
    private var beingReported = 0

    init(bus: MessageBus, account: UpstreamAccount, logger: Logger) {
        self.bus = bus
        self.account = account
        self.logger = logger
    }

    /// Takes one call from the quota; returns when the call may be made.
    ///
    /// - Throws: `UpstreamError` with code `quotaExceeded` when the daily calls are used up; `Failure` with code
    ///   `quotaReserved` when the rest is reserved for higher classes; the `Failure` of cache-store when it gave no
    ///   answer, which is retryable.
    func take(trace: Trace, deadline: ContinuousClock.Instant) async throws {
        let request = begin()
        let reply: QuotaTakeReply
        do {
            reply = try JSONBytes.decode(
                QuotaTakeReply.self, from: try await ask(QuotaTakeRequest.kind, request, trace, deadline).payload)
        } catch let failure as Failure where failure.isOfLostCache {
            end(request, isAnswered: false)
            return try acquireUncounted()
        } catch {
            // If only the answer was lost, these calls are counted twice, which is harmless.
            end(request, isAnswered: false)
            throw error
        }
        end(request, isAnswered: true)
        guard !reply.isGranted else { return }
        if reply.isReserved == true { throw Failure.quotaReserved(reply.status) }
        throw UpstreamError.usedUp(reply.status)
    }

    /// A take that the caller sends, with the request for a lease; then it calls `end`.
    func begin() -> QuotaTakeRequest {
        let owed = uncounted - beingReported
        beingReported += owed
        return QuotaTakeRequest(
            upstream: account.upstream, key: account.key, limit: account.dailyLimit,
            uncounted: UncountedCalls(clamping: owed))
    }

    /// - Parameter isAnswered: whether the take was carried out, even if it was refused.
    func end(_ take: QuotaTakeRequest, isAnswered: Bool) {
        beingReported -= take.uncounted.value
        if isAnswered { uncounted -= take.uncounted.value }
    }

    /// Takes one call while cache-store is unavailable.
    func acquireUncounted() throws {
        guard uncounted < Self.maxUncounted else { throw Failure.quotaUnavailable(account.upstream) }
        uncounted += 1
    }

    /// Reports that the upstream refuses more calls today.
    func reportExhausted(trace: Trace) async {
        let request = QuotaExhaustedRequest(
            upstream: account.upstream, key: account.key, limit: account.dailyLimit)
        do {
            _ = try await ask(QuotaExhaustedRequest.kind, request, trace, .now + FetcherTiming.cacheRequest)
        } catch {
            // The upstream refuses the next call in the same way.
            logger.debug("a used-up quota was not reported", metadata: ["error": "\(error)"])
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
        let refusal = status.isExhausted ? "says that the key's calls of \(status.day) are used up" : "is not asked"
        return UpstreamError(
            .quotaExceeded,
            "\(status.upstream) \(refusal): \(status.used) of \(status.limit) calls are counted; the next day begins "
                + "at midnight in Seoul.")
    }
}

extension Failure {
    fileprivate static func quotaReserved(_ status: QuotaStatus) -> Failure {
        Failure(
            .quotaReserved,
            LocalizedText(
                ko: "오늘 남은 \(status.upstream) 호출 \(status.left)번은 더 급한 요청의 몫입니다. 한국 시각 자정 뒤에 다시 시도하세요.",
                en: "The \(status.left) calls of \(status.upstream) that are left today are reserved for more urgent "
                    + "requests. Try again after midnight in Seoul."),
            isRetryable: false)
    }

    /// - Parameter upstream: the name of the upstream.
    fileprivate static func quotaUnavailable(_ upstream: String) -> Failure {
        Failure(
            .unavailable,
            LocalizedText(
                ko: "cache-store가 없어 \(upstream) 호출 수를 셀 수 없습니다. 세지 않은 호출은 \(QuotaClient.maxUncounted)번까지입니다.",
                en:
                    "cache-store is unavailable, and calls of \(upstream) are not counted; a fetcher makes no more than "
                    + "\(QuotaClient.maxUncounted) of those."),
            isRetryable: true)
    }
}
