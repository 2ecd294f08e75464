import CacheStoreMachine
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import ServiceKit

/// Answers the requests about call quotas: takes, refusals by the upstream, and balances.
struct QuotaHandler: Sendable {
    let ledger: QuotaLedger
    let clock: WallClock

    func answer(_ request: IncomingRequest) async throws -> ServiceAnswer {
        let payload = request.envelope.payload
        switch request.envelope.header.kind {
        case QuotaTakeRequest.kind:
            let take = try JSONBytes.decode(QuotaTakeRequest.self, from: payload)
            let (decision, balance) = await self.take(take, of: request.trace.requestClass)
            return try .json(
                QuotaTakeReply(
                    isGranted: decision == .granted, isReserved: decision == .reserved ? true : nil,
                    status: QuotaStatus(QuotaAccount(upstream: take.upstream, key: take.key), balance)))
        case QuotaExhaustedRequest.kind:
            let refusal = try JSONBytes.decode(QuotaExhaustedRequest.self, from: payload)
            await ledger.markExhausted(
                QuotaAccount(upstream: refusal.upstream, key: refusal.key), limit: refusal.limit.value, now: clock.now()
            )
            return ServiceAnswer()
        default:
            let balances = await ledger.balances(now: clock.now())
            return try .json(
                QuotaListReply(
                    accounts: balances.map { QuotaStatus($0.account, $0.balance) }, diskFailure: await ledger.failure))
        }
    }

    /// Takes a call, of which a class must leave some.
    func take(
        _ take: QuotaTakeRequest, of requestClass: RequestClass
    ) async -> (decision: QuotaStateMachine.Decision, balance: QuotaBalance) {
        await ledger.take(
            QuotaAccount(upstream: take.upstream, key: take.key), limit: take.limit.value,
            reserve: requestClass.reserve(of: take.limit), uncounted: take.uncounted.value, now: clock.now())
    }
}

extension QuotaStatus {
    init(_ account: QuotaAccount, _ balance: QuotaBalance) {
        self.init(
            upstream: account.upstream, key: account.key, day: balance.day.iso, used: balance.used, left: balance.left,
            limit: balance.limit, resetsAt: RFC3339.text(microseconds: Int64(balance.resetsAt) * 1_000_000),
            isExhausted: balance.exhaustedAt != nil)
    }
}
