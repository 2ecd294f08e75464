import Envelope
import Foundation
import TestSupport
import Testing
import Upstream

/// A failing upstream: what is reported, stored and retried.
///
/// Without circuit breakers, since each test is about its own fault, and with short attempts.
@Suite(.timeLimit(.minutes(1)), .scene(hasBreakers: false, retry: .short)) struct FaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let fault: String
        let status: Int32
        let code: String
        let httpStatus: Int?
        let isRetryable: Bool
        /// The action or the failure, in Korean; the reason, in English.
        let korean: String
        let english: String
        /// The requested day, different for each case, so that no stored part is used.
        let date: String

        var testDescription: String { fault }
    }

    static let cases = [
        Case(
            fault: "html", status: 65, code: "upstream_malformed", httpStatus: 200, isRetryable: true,
            korean: "읽을 수 없습니다", english: "HTML", date: "2016-01-01"),
        Case(
            fault: "empty", status: 65, code: "upstream_malformed", httpStatus: 200, isRetryable: true,
            korean: "읽을 수 없습니다", english: "empty", date: "2016-01-02"),
        Case(
            fault: "half-json", status: 65, code: "upstream_malformed", httpStatus: 200, isRetryable: true,
            korean: "읽을 수 없습니다", english: "cut-off", date: "2016-01-03"),
        Case(
            fault: "not-json", status: 65, code: "upstream_malformed", httpStatus: 200, isRetryable: true,
            korean: "읽을 수 없습니다", english: "instead of JSON", date: "2016-01-04"),
        Case(
            fault: "other-json", status: 65, code: "upstream_malformed", httpStatus: 200, isRetryable: false,
            korean: "읽을 수 없습니다", english: "without boxOfficeResult", date: "2016-01-05"),
        Case(
            fault: "truncated", status: 69, code: "upstream_unreachable", httpStatus: nil, isRetryable: true,
            korean: "업스트림", english: "broke off", date: "2016-01-06"),
        Case(
            fault: "error500", status: 69, code: "upstream_http", httpStatus: 500, isRetryable: true,
            korean: "HTTP 500", english: "HTTP status 500", date: "2016-01-07"),
        Case(
            fault: "error503", status: 69, code: "upstream_http", httpStatus: 503, isRetryable: true,
            korean: "HTTP 503", english: "HTTP status 503", date: "2016-01-08"),
        Case(
            fault: "closed", status: 69, code: "upstream_unreachable", httpStatus: nil, isRetryable: true,
            korean: "연결이 끊겼습니다", english: "KOBIS", date: "2016-01-11"),
        Case(
            fault: "throttled", status: 69, code: "upstream_http", httpStatus: 429, isRetryable: true,
            korean: "HTTP 429", english: "HTTP status 429", date: "2016-01-12"),
        Case(
            fault: "refusal", status: 65, code: "upstream_fault", httpStatus: 200, isRetryable: false,
            korean: "329999", english: "329999", date: "2016-01-13"),
        Case(
            fault: "slow", status: 75, code: "upstream_timeout", httpStatus: nil, isRetryable: true,
            korean: "제때 답하지 않았습니다", english: "did not answer within", date: "2016-01-14"),
        Case(
            fault: "key", status: 77, code: "key_rejected", httpStatus: 200, isRetryable: false,
            korean: "키를 확인하세요", english: "320010", date: "2016-01-10"),
    ]

    private struct Show: Decodable {
        struct Film: Decodable {
            let detail: Part
            let poster: Part
        }

        let complete: Bool
        let chart: Part
        let films: [Film]?
    }

    private struct Film: Decodable {
        let complete: Bool
        let movie: Part?
        let poster: Part?
    }

    private struct Part: Decodable {
        struct Value: Decodable {
            let date: String?
        }

        struct Failure: Decodable {
            let code: String
            let isRetryable: Bool
            let httpStatus: Int?
            let faultCode: String?
            let message: [String: String]
        }

        let status: String
        let failure: Failure?
        let value: Value?
    }

    let scene: GatewayScene
    let upstream: UpstreamSwitches

    init() throws {
        scene = try GatewayScene.shared
        upstream = scene.upstream
    }

    @Test(arguments: cases)
    func `a bad upstream answer is reported with its own exit code and not stored`(_ wrong: Case) async throws {
        try await publishing("chart.daily.answered", code: wrong.code) {
            try await upstream.withFault(wrong.fault) {
                // Both share one failing fetch.
                async let koreanAnswer = scene.gateway("chart", wrong.date)
                async let englishAnswer = scene.gateway("show --json --lang en", wrong.date)
                let (korean, english) = await (koreanAnswer, englishAnswer)
                #expect(korean.status == wrong.status, "\(korean)")
                #expect(korean.output.isEmpty && korean.errors.contains(wrong.korean))
                // Codes stand in JSON.
                #expect(!korean.errors.contains(wrong.code))
                if wrong.isRetryable { #expect(korean.errors.contains("다시")) }

                #expect(english.status == wrong.status && english.errors.contains(wrong.english), "\(english)")
                if wrong.isRetryable { #expect(english.errors.contains("again")) }
                let show: Show = try english.decoded()
                #expect(!show.complete && show.films?.isEmpty == true)
                #expect(show.chart.status == "failed" && show.chart.value == nil)
                #expect(show.chart.failure?.code == wrong.code)
                #expect(show.chart.failure?.httpStatus == wrong.httpStatus)
                #expect(show.chart.failure?.isRetryable == wrong.isRetryable)
                #expect(show.chart.failure?.message["ko"]?.contains(wrong.korean) == true)
                #expect(show.chart.failure?.message["en"]?.contains(wrong.english) == true)
            }
        }
        let asked = try await upstream.calls {
            let show: Show = try await scene.gateway("chart --json", wrong.date).decoded()
            #expect(show.complete && show.chart.value?.date == wrong.date)
        }
        #expect(asked == [UpstreamSwitches.chartPath: 1])
        let remembered = try await upstream.calls { await scene.answered("chart", wrong.date) }
        #expect(remembered.isEmpty)
    }

    @Test(arguments: [("error503", 2...4), ("key", 1...1), ("other-json", 1...1)])
    func `only a transient fault is retried`(fault: String, attempts: ClosedRange<Int>) async throws {
        try await upstream.withFault(fault) {
            let calls = try await upstream.calls { await scene.gateway("chart 2016-02-01") }
            #expect(attempts.contains(calls[UpstreamSwitches.chartPath] ?? 0), "\(calls)")
        }
    }

    @Test func `a failing poster search leaves chart and details, with the reason`() async throws {
        try await upstream.withFault("error500", path: "search/image") {
            let text = await scene.answered("show 2017-03-01 --top 3")
            #expect(text.output.matches(of: /1-3위 포스터: .*HTTP 500/).count == 1, "\(text)")
            #expect(text.output.matches(of: /· 포스터 없음/).count == 3)
            #expect(text.output.matches(of: /당일 [0-9,]+ \/ 총 [0-9,]+/).count == 3)
            #expect(text.output.matches(of: /[0-9]+분 ·/).count == 3)
            #expect(text.output.contains("일부만 도착했습니다: 3개"))
            let show: Show = try await scene.gateway("show 2017-03-01 --top 3 --json").decoded()
            #expect(!show.complete && show.chart.status == "ok")
            #expect(show.films?.allSatisfy { $0.detail.status == "ok" && $0.poster.status == "failed" } == true)
        }
        let whole: Show = try await scene.gateway("show 2017-03-01 --top 3 --json").decoded()
        #expect(whole.complete)
    }

    @Test func `failing details leave chart and posters`() async throws {
        try await upstream.withFault("html", path: "searchMovieInfo") {
            let show: Show = try await scene.gateway("show 2018-03-02 --top 2 --json").decoded()
            #expect(!show.complete && show.chart.status == "ok")
            #expect(show.films?.allSatisfy { $0.detail.status == "failed" && $0.poster.status == "ok" } == true)
            #expect(show.films?.first?.detail.failure?.code == "upstream_malformed")
            let text = await scene.answered("show 2018-03-02 --top 2")
            #expect(text.output.contains("상세: "))
        }
    }

    @Test func `a failed refresh returns the stored chart and reports the failure`() async throws {
        await scene.answered("chart 2016-03-03")
        try await upstream.withFault("error500") {
            let show: Show = try await scene.answered("chart 2016-03-03 --refresh --json").decoded()
            #expect(!show.complete && show.chart.status == "stale")
            #expect(show.chart.value?.date == "2016-03-03")
            #expect(show.chart.failure?.httpStatus == 500)
            let text = await scene.answered("chart 2016-03-03 --refresh")
            #expect(text.output.contains("오래된 자료"))
        }
    }

    @Test func `a deadline always fires, and a fetch that ends after it is stored`() async throws {
        try await publishing("chart.daily.answered", code: nil) {
            // The fetch must begin before the deadline, also on a busy machine.
            try await upstream.withLatency(milliseconds: 1200) {
                let late = await scene.gateway("chart 2016-03-04 --timeout 0.6")
                #expect(late.status == 75 && late.errors.contains("시간"), "\(late)")
            }
        }
        let calls = try await upstream.calls { await scene.answered("chart 2016-03-04") }
        #expect(calls.isEmpty)
    }

    // One fault of each kind; the unit tests of the clients cover all of them.
    @Test(arguments: cases.filter { ["html", "error503", "key"].contains($0.fault) })
    func `a bad detail is reported like a bad chart and not stored`(_ wrong: Case) async throws {
        await scene.answered("cache purge movie")
        try await publishing("movie.detail.answered", code: wrong.code) {
            try await upstream.withFault(wrong.fault, path: "searchMovieInfo") {
                let printed = await scene.gateway("movie 20199001 --json")
                #expect(printed.status == wrong.status, "\(printed)")
                let film: Film = try printed.decoded()
                #expect(!film.complete && film.movie?.status == "failed" && film.movie?.value == nil)
                #expect(film.movie?.failure?.code == wrong.code)
                #expect(film.movie?.failure?.isRetryable == wrong.isRetryable)
            }
        }
        let calls = try await upstream.calls { await scene.answered("movie 20199001") }
        #expect(calls == [UpstreamSwitches.detailPath: 1], "nothing of it was kept")
    }

    @Test(arguments: cases.filter { ["html", "error503"].contains($0.fault) })
    func `a bad poster search is reported like a bad chart and not stored`(_ wrong: Case) async throws {
        await scene.answered("cache purge poster")
        try await publishing("poster.find.answered", code: wrong.code) {
            try await upstream.withFault(wrong.fault, path: "search/image") {
                let printed = await scene.gateway("poster --json", "유리 등대")
                #expect(printed.status == wrong.status, "\(printed)")
                let film: Film = try printed.decoded()
                #expect(!film.complete && film.poster?.status == "failed" && film.poster?.value == nil)
                #expect(film.poster?.failure?.code == wrong.code)
            }
        }
        let calls = try await upstream.calls { await scene.answered("poster", "유리 등대") }
        #expect(calls == [UpstreamSwitches.imagePath: 1], "nothing of it was kept")
    }

    @Test(arguments: ["quota", "platform-quota"])
    func `both forms of Kakao's quota failure are reported alike`(fault: String) async throws {
        await scene.answered("cache purge poster")
        try await publishing("poster.find.answered", code: "quota_exceeded") {
            try await upstream.withFault(fault, path: "search/image") {
                let printed = await scene.gateway("poster --json --refresh", "유리 등대")
                #expect(printed.status == 75, "\(printed)")
                let film: Film = try printed.decoded()
                #expect(film.poster?.failure?.code == "quota_exceeded")
                #expect(["RequestThrottled", "-10"].contains(film.poster?.failure?.faultCode))
                #expect(!(printed.output + printed.errors).contains(StackScene.key))
            }
        }
    }

    @Test func `a key that the image search refuses keeps its HTTP status`() async throws {
        await scene.answered("cache purge poster")
        try await upstream.withFault("key", path: "search/image") {
            let printed = await scene.gateway("poster --json --refresh", "유리 등대")
            #expect(printed.status == 77, "\(printed)")
            let film: Film = try printed.decoded()
            #expect(film.poster?.failure?.httpStatus == 401 && film.poster?.failure?.code == "key_rejected")
        }
    }

    /// Runs `body`, then waits for one more event of that kind and code than before.
    ///
    /// - Parameter code: nil for an event without one.
    private func publishing(_ kind: String, code: String?, _ body: () async throws -> Void) async throws {
        func count() async throws -> Int {
            try await scene.pastEvents().count { event in
                event.kind == kind && event.attributes["code"] == code.map { .text($0) }
            }
        }
        let before = try await count()
        try await body()
        while try await count() <= before { try Task.checkCancellation() }
    }
}

extension UpstreamRetry {
    /// A budget of a second and a half instead of four.
    fileprivate static var short: UpstreamRetry {
        var retry = UpstreamRetry()
        (retry.usualAttempt, retry.pause, retry.budget) = (.milliseconds(500), .milliseconds(20), .milliseconds(1500))
        return retry
    }
}
