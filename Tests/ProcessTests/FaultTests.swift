import Foundation
import Testing

extension ProcessTests.CommandLineTests {
    /// A failing upstream: what is reported, stored and retried. Without circuit breakers: each test is about its own
    /// fault.
    @Suite(.serialized, .stack(environment: ["BOXOFFICE_BREAKER_FAILURES": "0"])) struct FaultTests {
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

        let stack: TestStack
        let upstream: UpstreamSwitches

        init() throws {
            stack = try TestStack.shared
            upstream = try stack.upstream
        }

        @Test(arguments: cases)
        func `a bad upstream answer is reported with its own exit code and not stored`(_ wrong: Case) async throws {
            let before = try await countOfEvents(with: wrong.code)
            try await upstream.withFault(wrong.fault) {
                // Both share one failing fetch.
                async let koreanResult = stack.gateway("chart", wrong.date)
                async let englishResult = stack.gateway("show", wrong.date, "--json", "--lang", "en")
                let (korean, english) = try await (koreanResult, englishResult)
                #expect(korean.status == wrong.status, "\(korean)")
                #expect(korean.output.isEmpty && korean.errors.contains(wrong.korean))
                #expect(korean.errors.contains(wrong.code))
                #expect(korean.errors.contains(wrong.isRetryable ? "재시도 가능" : "재시도 불필요"))

                #expect(english.status == wrong.status && english.errors.contains(wrong.english), "\(english)")
                #expect(english.errors.contains(wrong.isRetryable ? "retry may help" : "retry is no use"))
                let answer: ChartAnswer = try english.decoded()
                #expect(!answer.complete && answer.films?.isEmpty == true)
                #expect(answer.chart.status == "failed" && answer.chart.value == nil)
                #expect(answer.chart.failure?.code == wrong.code)
                #expect(answer.chart.failure?.httpStatus == wrong.httpStatus)
                #expect(answer.chart.failure?.isRetryable == wrong.isRetryable)
                #expect(answer.chart.failure?.message["ko"]?.contains(wrong.korean) == true)
                #expect(answer.chart.failure?.message["en"]?.contains(wrong.english) == true)
            }
            #expect(try await countOfEvents(with: wrong.code) > before, "the failure is published")
            let asked = try await upstream.calls {
                let answer: ChartAnswer = try await stack.json("chart", wrong.date)
                #expect(answer.complete && answer.chart.value?.date == wrong.date)
            }
            #expect(asked == [UpstreamSwitches.chartPath: 1])
            let remembered = try await upstream.calls {
                try await stack.answered("chart", wrong.date)
            }
            #expect(remembered.isEmpty)
        }

        /// The number of chart-fetcher's answers with that code in the event stream.
        private func countOfEvents(with code: String) async throws -> Int {
            try await stack.pastEvents().count { $0.kind == "chart.daily.answered" && $0.says("code", code) }
        }

        @Test(arguments: [("error503", 2...4), ("key", 1...1), ("other-json", 1...1)])
        func `only a transient fault is retried`(fault: String, attempts: ClosedRange<Int>) async throws {
            try await upstream.withFault(fault) {
                let calls = try await upstream.calls { _ = try await stack.gateway("chart", "2016-02-01") }
                #expect(attempts.contains(calls[UpstreamSwitches.chartPath] ?? 0), "\(calls)")
            }
        }

        @Test func `a failing poster search leaves chart and details, with the reason`() async throws {
            try await upstream.withFault("error500", path: "search/image") {
                let text = try await stack.gateway("show", "2017-03-01", "--top", "3")
                #expect(text.status == 0, "\(text)")
                #expect(text.output.matches(of: /포스터: .*HTTP 500.*upstream_http/).count == 3)
                #expect(text.output.matches(of: /오늘 [0-9,]+ \/ 총 [0-9,]+/).count == 3)
                #expect(text.output.matches(of: /[0-9]+분 ·/).count == 3)
                #expect(text.output.contains("일부만 도착했습니다: 3개"))
                let answer: ChartAnswer = try await stack.json("show", "2017-03-01", "--top", "3")
                #expect(!answer.complete && answer.chart.status == "ok")
                #expect(answer.films?.allSatisfy { $0.detail?.status == "ok" && $0.poster?.status == "failed" } == true)
            }
            let whole: ChartAnswer = try await stack.json("show", "2017-03-01", "--top", "3")
            #expect(whole.complete)
        }

        @Test func `failing details leave chart and posters`() async throws {
            try await upstream.withFault("html", path: "searchMovieInfo") {
                let answer: ChartAnswer = try await stack.json("show", "2018-03-02", "--top", "2")
                #expect(!answer.complete && answer.chart.status == "ok")
                #expect(answer.films?.allSatisfy { $0.detail?.status == "failed" && $0.poster?.status == "ok" } == true)
                #expect(answer.films?.first?.detail?.failure?.code == "upstream_malformed")
                let text = try await stack.gateway("show", "2018-03-02", "--top", "2")
                #expect(text.status == 0 && text.output.contains("상세: "))
            }
        }

        @Test func `a failed refresh returns the stored chart and reports the failure`() async throws {
            try await stack.answered("chart", "2016-03-03")
            try await upstream.withFault("error500") {
                let result = try await stack.gateway("chart", "2016-03-03", "--refresh", "--json")
                #expect(result.status == 0)
                let answer: ChartAnswer = try result.decoded()
                #expect(!answer.complete && answer.chart.status == "stale")
                #expect(answer.chart.value?.date == "2016-03-03")
                #expect(answer.chart.failure?.httpStatus == 500)
                let text = try await stack.gateway("chart", "2016-03-03", "--refresh")
                #expect(text.status == 0 && text.output.contains("오래된 자료"))
            }
        }

        @Test func `a deadline always fires, and a fetch that ends after it is stored`() async throws {
            try await stack.watching { feed in
                try await upstream.withLatency(milliseconds: 800) {
                    let late = try await stack.gateway("chart", "2016-03-04", "--timeout", "0.3")
                    #expect(late.status == 75 && late.errors.contains("timeout"), "\(late)")
                    try await feed.first("chart.daily.answered")
                }
            }
            let calls = try await upstream.calls { try await stack.answered("chart", "2016-03-04") }
            #expect(calls.isEmpty)
        }

        @Test(arguments: ["none", "redirect", "misdirected", "huge", "key", "error500"])
        func `no key is printed or logged, even when the upstream echoes it`(fault: String) async throws {
            var results: [CommandResult] = []
            for path in [nil, "/posters/"] {
                try await upstream.withFault(fault, path: path) {
                    async let show = stack.gateway("show", "2016-04-01", "--refresh", "--verbose", "--top", "1")
                    async let chart = stack.gateway("chart", "2016-04-01", "--json", "--refresh")
                    async let movie = stack.gateway("movie", "20199001", "--refresh", "--lang", "en")
                    async let poster = stack.gateway(
                        "poster", "유리 등대", "--refresh", "--json", "--save", "\(stack.runFolder)/poster")
                    results += try await [show, chart, movie, poster]
                }
            }
            try await stack.expectNoKey(in: results)
            let recorded = try FileManager.default.contentsOfDirectory(atPath: "\(stack.runFolder)/recorded")
            #expect(!recorded.isEmpty && recorded.allSatisfy { $0.hasSuffix(".json") }, "\(recorded)")
        }

        // One fault of each kind; the unit tests of the clients cover all of them.
        @Test(arguments: cases.filter { ["html", "error503", "key"].contains($0.fault) })
        func `a bad detail is reported like a bad chart and not stored`(_ wrong: Case) async throws {
            try await stack.answered("cache", "purge", "movie")
            try await upstream.withFault(wrong.fault, path: "searchMovieInfo") {
                let result = try await stack.gateway("movie", "20199001", "--json")
                #expect(result.status == wrong.status, "\(result)")
                let answer: FilmAnswer = try result.decoded()
                #expect(!answer.complete && answer.movie?.status == "failed" && answer.movie?.value == nil)
                #expect(answer.movie?.failure?.code == wrong.code)
                #expect(answer.movie?.failure?.isRetryable == wrong.isRetryable)
            }
            let reported = try await stack.pastEvents().last { $0.kind == "movie.detail.answered" }
            #expect(reported?.says("code", wrong.code) == true)
            let calls = try await upstream.calls { try await stack.answered("movie", "20199001") }
            #expect(calls == [UpstreamSwitches.detailPath: 1], "nothing of it was kept")
        }

        @Test(arguments: cases.filter { ["html", "error503"].contains($0.fault) })
        func `a bad poster search is reported like a bad chart and not stored`(_ wrong: Case) async throws {
            try await stack.answered("cache", "purge", "poster")
            try await upstream.withFault(wrong.fault, path: "search/image") {
                let result = try await stack.gateway("poster", "유리 등대", "--json")
                #expect(result.status == wrong.status, "\(result)")
                let answer: FilmAnswer = try result.decoded()
                #expect(!answer.complete && answer.poster?.status == "failed" && answer.poster?.value == nil)
                #expect(answer.poster?.failure?.code == wrong.code)
            }
            let reported = try await stack.pastEvents().last { $0.kind == "poster.find.answered" }
            #expect(reported?.says("code", wrong.code) == true)
            let calls = try await upstream.calls { try await stack.answered("poster", "유리 등대") }
            #expect(calls == [UpstreamSwitches.imagePath: 1], "nothing of it was kept")
        }

        @Test(arguments: ["quota", "platform-quota"])
        func `both forms of Kakao's quota failure are reported alike`(fault: String) async throws {
            try await stack.answered("cache", "purge", "poster")
            try await upstream.withFault(fault, path: "search/image") {
                let result = try await stack.gateway("poster", "유리 등대", "--json", "--refresh")
                #expect(result.status == 75, "\(result)")
                let answer: FilmAnswer = try result.decoded()
                #expect(answer.poster?.failure?.code == "quota_exceeded")
                #expect(["RequestThrottled", "-10"].contains(answer.poster?.failure?.faultCode))
                let reported = try await stack.pastEvents().last { $0.kind == "poster.find.answered" }
                #expect(reported?.says("code", "quota_exceeded") == true)
                try await stack.expectNoKey(in: [result])
            }
        }

        @Test func `a key that the image search refuses keeps its HTTP status`() async throws {
            try await stack.answered("cache", "purge", "poster")
            try await upstream.withFault("key", path: "search/image") {
                let result = try await stack.gateway("poster", "유리 등대", "--json", "--refresh")
                #expect(result.status == 77, "\(result)")
                let answer: FilmAnswer = try result.decoded()
                #expect(answer.poster?.failure?.httpStatus == 401 && answer.poster?.failure?.code == "key_rejected")
            }
        }
    }
}
