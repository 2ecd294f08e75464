import Contracts
import Domain
import Envelope
import Localization

extension MessageSamples {
    /// Answers that are failures, and a stale one that replaces a failed fetch.
    static func failures() throws -> [MessageVector] {
        let late = Failure(
            .upstreamHTTP,
            LocalizedText(ko: "업스트림이 오류로 답했습니다(HTTP 503).", en: "KOBIS answered with HTTP status 503."),
            isRetryable: true, httpStatus: 503)
        let refused = Failure(
            .quotaExceeded, LocalizedText(ko: "하루 이용량을 초과했습니다.", en: "The daily quota is used up."),
            isRetryable: false, httpStatus: 200, faultCode: "320011")
        let none = Failure(
            .notFound, LocalizedText(ko: "그런 영화가 없습니다.", en: "There is no such film."), isRetryable: false)
        return [
            try reply(
                "a failure of the upstream", kind: ChartRequest.dailyKind, sender: "chart-fetcher/1", status: .failed,
                failure: late, cache: CacheStatus(hit: false, fwd: .uriMiss),
                timing: RequestTiming(workMicroseconds: 103_200, upstreamMicroseconds: 101_900, upstreamCalls: 3)),
            try reply(
                "a refusal of the upstream", kind: ChartRequest.dailyKind, sender: "chart-fetcher/1", status: .failed,
                failure: refused),
            try reply(
                "a film that there is not", kind: DetailRequest.kind, sender: "detail-fetcher/1", status: .failed,
                failure: none),
            try reply(
                "an old chart for want of a new one", kind: ChartRequest.dailyKind, sender: "chart-fetcher/1",
                status: .stale, failure: late, cache: CacheStatus(hit: false, fwd: .stale, ttl: -30, age: 630),
                Chart(.daily(Day(daysSinceEpoch: 18_997)), entries: [])),
        ]
    }
}
