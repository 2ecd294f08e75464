import Contracts
import Domain
import Envelope

extension MessageSamples {
    /// Calls that are counted before they are made.
    static func quota() throws -> [MessageVector] {
        let status = QuotaStatus(
            upstream: "KOBIS", key: "0badcafe", day: "2026-11-21", used: 12, left: 2_988, limit: 3_000,
            resetsAt: "2026-11-21T15:00:00.000000Z", isExhausted: false)
        let usedUp = QuotaStatus(
            upstream: "Kakao", key: "0badcafe", day: "2026-11-21", used: 7, left: 0, limit: 30_000,
            resetsAt: "2026-11-21T15:00:00.000000Z", isExhausted: true)
        return [
            try request(
                "a call is taken", kind: QuotaTakeRequest.kind, sender: "chart-fetcher/1",
                QuotaTakeRequest(upstream: "KOBIS", key: "0badcafe", limit: 3_000, uncounted: 2)),
            try request(
                "a call is taken for a page", kind: QuotaTakeRequest.kind, sender: "chart-fetcher/1", as: .web,
                QuotaTakeRequest(upstream: "KOBIS", key: "0badcafe", limit: 3_000, uncounted: 0)),
            try reply(
                "the calls that are left are reserved", kind: QuotaTakeRequest.kind, sender: "cache-store/1",
                QuotaTakeReply(isGranted: false, isReserved: true, status: status)),
            try reply(
                "a call may be made", kind: QuotaTakeRequest.kind, sender: "cache-store/1",
                QuotaTakeReply(isGranted: true, status: status)),
            try reply(
                "no call is left", kind: QuotaTakeRequest.kind, sender: "cache-store/1",
                QuotaTakeReply(isGranted: false, status: usedUp)),
            try request(
                "an upstream has refused a call", kind: QuotaExhaustedRequest.kind, sender: "chart-fetcher/1",
                QuotaExhaustedRequest(upstream: "KOBIS", key: "0badcafe", limit: 3_000)),
            try request("the counts are asked for", kind: QuotaListRequest.kind),
            try reply(
                "the counts", kind: QuotaListRequest.kind, sender: "cache-store/1",
                QuotaListReply(accounts: [status, usedUp])),
        ]
    }
}
