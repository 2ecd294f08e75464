import Foundation
import TestSupport
import Testing

extension ProcessTests.CommandLineTests {
    /// Requests to a healthy stack.
    @Suite(.serialized) struct AnswerTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `show prints rows and details of a recorded day`() async throws {
            let result = try await stack.gateway("show", "2019-03-15")
            try #require(result.status == 0, "\(result)")
            #expect(result.errors.isEmpty)
            let lines = result.lines
            #expect(lines[0].hasPrefix("박스오피스 2019-03-15 금요일"))
            let first = try #require(lines.firstIndex { $0.contains("유리 등대") })
            #expect(lines[first].contains(/^  1  신작  유리 등대 +당일 134,567 \/ 총 141,234$/))
            #expect(lines[first + 1].contains("하시험, 노가짜 · 12세이상관람가 · 107분 · 드라마, 미스터리 · 포스터 "))
            #expect(result.output.contains(/\n  2  ▼1    바람의 지도 제작자 +당일 51,234 \/ 총 1,098,765\n/))
            #expect(result.output.contains(/\n  3  신작  오래된 여름의 기차 +당일 987 \/ 총 7,654\n/))
            #expect(!result.output.contains("일부만"))
        }

        @Test func `show as JSON states that every part is present`() async throws {
            let answer: ChartAnswer = try await stack.json("show", "20190315")
            #expect(answer.targetDate == "2019-03-15")
            #expect(answer.complete)
            #expect(answer.chart.status == "ok")
            let films = try #require(answer.films)
            #expect(films.map(\.code) == ["20199001", "2019A002", "20199003"])
            #expect(films.allSatisfy { $0.detail?.status == "ok" && $0.poster?.status == "ok" })
            #expect(films.first?.detail?.value?.runningMinutes == 107)
        }

        @Test(arguments: [
            ("--weekly", "주간 박스오피스 2014-06-02 ~ 2014-06-08", "주간"),
            ("--weekend", "주말 박스오피스 2014-06-06 ~ 2014-06-08", "주말"),
            ("--weekdays", "주중 박스오피스 2014-06-02 ~ 2014-06-05", "주중"),
        ])
        func `a weekly chart is the same for all its days`(flag: String, title: String, period: String) async throws {
            let first = try await stack.gateway("chart", flag, "2014-06-02")
            try #require(first.status == 0, "\(first)")
            #expect(first.lines[0].hasPrefix(title))
            #expect(first.output.matches(of: try Regex("  \(period) [0-9,]+ / 총 [0-9,]+\n")).count == 10)
            let calls = try await stack.upstream.calls {
                let last = try await stack.gateway("chart", flag, "2014-06-08")
                #expect(last.output == first.output)
            }
            #expect(calls.isEmpty)
        }

        @Test func `a filtered chart is named and differs from the whole chart`() async throws {
            let whole = try await stack.gateway("chart", "2014-06-03")
            let parts: [([String], String)] = [
                (["--area", "제주"], "제주도"), (["--nation", "korean"], "한국영화"),
                (["--area", "Seoul", "--nation", "foreign", "--diversity", "diverse"], "서울시 · 외국영화 · 다양성영화"),
            ]
            for (options, name) in parts {
                let part = try await stack.command(
                    Repository.binaries + "/gateway", ["chart", "2014-06-03", "--lang", "ko"] + options
                ).run()
                try #require(part.status == 0, "\(part)")
                #expect(part.lines[0].contains("박스오피스 2014-06-03 화요일  \(name)  확정"))
                #expect(part.lines.dropFirst() != whole.lines.dropFirst())
            }
        }

        @Test func `the figures of a chart are numbers in JSON`() async throws {
            let answer: ChartAnswer = try await stack.json("chart", "2019-03-15")
            let entry = try #require(answer.chart.value?.entries.first)
            #expect(entry.rank == 1 && entry.presence == "new")
            #expect(entry.audience == 134_567 && entry.audienceTotal == 141_234)
            #expect(entry.salesAmount == 1_234_567_890)
        }

        @Test func `a film without an opening date has none in the answer`() async throws {
            let answer: ChartAnswer = try await stack.json("chart", "2019-03-15")
            #expect(answer.chart.value?.entries.map(\.openingDay) == ["2019-03-14", "2019-02-27", nil])
            let text = try await stack.gateway("chart", "2019-03-15")
            #expect(text.status == 0 && text.output.contains("오래된 여름의 기차"))
        }

        @Test func `a poster search without hits is labelled and show succeeds`() async throws {
            let result = try await stack.gateway("show", "2019-03-16", "--json")
            #expect(result.status == 0)
            let answer: ChartAnswer = try result.decoded()
            #expect(!answer.complete && answer.chart.status == "ok")
            let films = try #require(answer.films)
            try #require(films.map(\.code) == ["20199001", "20199004"])
            #expect(films.allSatisfy { $0.detail?.status == "ok" })
            #expect(films[0].poster?.status == "ok")
            #expect(films[1].poster?.status == "failed")
            #expect(films[1].poster?.failure?.code == "no_hits")
            let text = try await stack.gateway("show", "2019-03-16")
            #expect(text.status == 0 && text.output.contains("포스터: '포스터 없는 밤'의 포스터를 찾지 못했습니다"))
        }

        @Test func `a process reads from the cache what an earlier one fetched`() async throws {
            let upstream = try stack.upstream
            let first = try await upstream.calls {
                try await stack.answered("show", "2009-08-08", "--top", "4")
            }
            let paths = UpstreamSwitches.self
            #expect(first == [paths.chartPath: 1, paths.detailPath: 4, paths.imagePath: 4])
            let second = try await upstream.calls {
                let answer: ChartAnswer = try await stack.json("show", "2009-08-08", "--top", "4")
                #expect(answer.complete && answer.chart.cache?.hit == true)
                #expect(answer.films?.allSatisfy { $0.poster?.cache?.hit == true } == true)
            }
            #expect(second.isEmpty)
        }

        @Test func `concurrent identical requests cost one upstream call per part`() async throws {
            let upstream = try stack.upstream
            let calls = try await upstream.calls {
                try await upstream.withLatency(milliseconds: 150) {
                    try await withThrowingTaskGroup { group in
                        for _ in 1...4 {
                            group.addTask {
                                let answer: ChartAnswer = try await stack.json("show", "2004-10-11", "--top", "3")
                                #expect(answer.complete)
                            }
                        }
                        try await group.waitForAll()
                    }
                }
            }
            let paths = UpstreamSwitches.self
            #expect(calls == [paths.chartPath: 1, paths.detailPath: 3, paths.imagePath: 3])
        }

        @Test func `refresh calls the upstream again`() async throws {
            _ = try await stack.gateway("chart", "2014-05-07")
            let calls = try await stack.upstream.calls {
                try await stack.answered("chart", "2014-05-07", "--refresh")
            }
            #expect(calls == [UpstreamSwitches.chartPath: 1])
        }

        @Test(arguments: ["2003-11-11", "2013-08-15", "20210301", "-3d", "어제", "yesterday"])
        func `a generated day has at most ten films and is complete`(date: String) async throws {
            let result = try await stack.gateway("show", date, "--json", "--timeout", "30")
            #expect(result.status == 0)
            let answer: ChartAnswer = try result.decoded()
            #expect(answer.complete)
            #expect((1...10).contains(answer.chart.value?.entries.count ?? 0))
            #expect(answer.films?.count == answer.chart.value?.entries.count)
        }

        @Test(arguments: ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
        func `the default date is yesterday in Seoul in every time zone`(zone: String) async throws {
            let before = try yesterdayInSeoul()
            let answer: ChartAnswer = try await stack.gateway("chart", "--json", environment: ["TZ": zone]).decoded()
            // Midnight may have passed in between.
            #expect(try [before, yesterdayInSeoul()].contains(answer.targetDate))
        }

        private func yesterdayInSeoul() throws -> String {
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = try #require(TimeZone(identifier: "Asia/Seoul"))
            let yesterday = try #require(calendar.date(byAdding: .day, value: -1, to: Date()))
            let day = calendar.dateComponents([.year, .month, .day], from: yesterday)
            return try String(
                format: "%04d-%02d-%02d", #require(day.year), #require(day.month), #require(day.day))
        }

        @Test func `top limits the number of films`() async throws {
            let answer: ChartAnswer = try await stack.json("show", "2019-03-15", "--top", "2")
            #expect(answer.complete && answer.films?.count == 2)
            let text = try await stack.gateway("show", "2019-03-15", "--top", "1")
            #expect(text.output.contains("유리 등대") && !text.output.contains("바람의 지도 제작자"))
        }

        @Test func `movie prints its eight fields in order`() async throws {
            let result = try await stack.gateway("movie", "20199001")
            try #require(result.status == 0, "\(result)")
            #expect(result.lines.first?.hasPrefix("유리 등대  20199001 · ") == true)
            // What is derived from stored charts follows after a blank line.
            let fields = result.lines.dropFirst(2).prefix { !$0.isEmpty }
                .map { $0.split(separator: /\s{2,}/, maxSplits: 1) }
            #expect(fields.map(\.first) == ["감독", "제작연도", "개봉일", "상영시간", "관람등급", "제작국가", "장르", "배우"])
            #expect(
                fields.map(\.last) == [
                    "하시험, 노가짜", "2018", "2019-03-14", "107분", "12세이상관람가", "한국, 프랑스", "드라마, 미스터리", "정보 없음",
                ])
        }

        @Test func `a code may contain letters of either case`() async throws {
            let answer: FilmAnswer = try await stack.json("movie", "2019a002")
            #expect(answer.movie?.value?.title == "바람의 지도 제작자")
        }

        @Test func `poster prints only a picture of the demo upstream`() async throws {
            let base = try stack.upstream.base
            let text = try await stack.gateway("poster", "유리 등대")
            #expect(text.status == 0 && text.output.hasPrefix("\(base)/posters/"))
            let answer: FilmAnswer = try await stack.json("poster", "유리 등대")
            let poster = try #require(answer.poster?.value)
            #expect(poster.imageURL.hasPrefix("\(base)/posters/") && poster.pageURL.hasPrefix("\(base)/films/"))
            let urls = text.output.matches(of: /https?:\/\/[^\/ ]+/).map { String($0.output) }
            #expect(Set(urls) == [base])
        }

        @Test func `ping names the broker and every instance`() async throws {
            let result = try await stack.gateway("ping")
            #expect(result.status == 0)
            let answered = result.lines.filter { $0.hasSuffix(" ms") }.map { $0.prefix { $0 != " " } }
            #expect(
                answered == [
                    "broker", "chart-fetcher/1", "detail-fetcher/1", "detail-fetcher/2", "poster-resolver/1",
                    "poster-resolver/2", "cache-store/1", "archive/1",
                ])
        }

        @Test func `ping of a service or an instance asks no other`() async throws {
            for (subject, names) in [
                ("broker", ["broker"]), ("detail-fetcher", ["detail-fetcher/1", "detail-fetcher/2"]),
                ("poster-resolver/2", ["poster-resolver/2"]),
            ] {
                let result = try await stack.gateway("ping", subject)
                let lines = result.lines.filter { !$0.isEmpty }
                #expect(lines.map { String($0.prefix { $0 != " " }) } == names)
                #expect(result.status == 0)
            }
            for missing in ["poster-resolver/3", "web", "web/self"] {
                #expect(try await stack.gateway("ping", missing).status == 69)
            }
        }

        @Test func `stats come from the broker and every instance`() async throws {
            let stats: StatsAnswer = try await stack.json("stats")
            #expect(stats.complete && stats.broker?.id == "broker/1")
            let running = try await stack.processes().processes.map(\.instance)
            let reported = stats.services.flatMap(\.instances)
            #expect(reported.map(\.id) == running.filter { !["broker/1", "demo-upstream/1"].contains($0) }.sorted())
            let versions = Set((reported + [stats.broker].compactMap { $0 }).map(\.version))
            #expect(versions == [try await stack.gateway("--version").lines.first ?? ""])
        }

        @Test func `the endpoint of the broker also selects a stack`() async throws {
            let broker = "ipc://\(stack.runFolder)/broker.ipc"
            let elsewhere: [String: String?] = ["BOXOFFICE_RUN": stack.runFolder + "/elsewhere"]
            #expect(try await stack.gateway("ping", environment: elsewhere).status == 69)
            #expect(try await stack.gateway("ping", "--broker", broker, environment: elsewhere).status == 0)
            let named = elsewhere.merging(["BOXOFFICE_BROKER": broker]) { $1 }
            #expect(try await stack.gateway("ping", environment: named).status == 0)
        }

        @Test func `an option selects English`() async throws {
            let result = try await stack.gateway("show", "2019-03-15", "--lang", "en", "--top", "1")
            #expect(result.output.contains("Box office 2019-03-15 Friday"))
            #expect(result.output.contains(/NEW +The Glass Lighthouse \(유리 등대\) +day 134,567 \/ total 141,234/))
        }

        @Test(arguments: ["show 2019-03-15", "movie 20199001", "chart 2019-03-15 --json"])
        func `a closed pipe is a silent success`(arguments: String) async throws {
            // The reader ends before the first byte is written.
            let result = try await stack.shell("exec 3> >(:); wait $!; exec \"$BIN/gateway\" \(arguments) >&3 3>&-")
            #expect(result.status == 0)
            #expect(result.errors.isEmpty)
        }

        @Test func `reading only the head of an answer is a silent success`() async throws {
            let result = try await stack.shell(#""$BIN/gateway" show 2019-03-15 | head -n 1; echo "${PIPESTATUS[@]}""#)
            #expect(result.lines.dropFirst().first == "0 0")
            #expect(result.lines.first?.hasPrefix("박스오피스 2019-03-15") == true && result.errors.isEmpty)
        }
    }
}
