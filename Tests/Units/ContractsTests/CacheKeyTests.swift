import Contracts
import Domain
import Testing

@Suite struct CacheKeyTests {
    @Test func `a key consists of kind and sorted parameters`() {
        let names = ["date", "kind", "nation", "a", "z", "가"]
        let pairs = names.map { (name: $0, value: Optional("1")) }
        for shift in names.indices {
            let turned = Array(pairs[shift...] + pairs[..<shift])
            let key = CacheKey.make("chart.daily", turned)
            #expect(key == "chart.daily?a=1&date=1&kind=1&nation=1&z=1&가=1")
        }
    }

    @Test func `both spellings of a Hangul title are one key, byte for byte`() {
        let (composed, decomposed) = ("\u{ACBD}\u{AD00}", "\u{1100}\u{1167}\u{11BC}\u{1100}\u{116A}\u{11AB}")
        let keys = [composed, decomposed].map { CacheKey.make("poster.find", [("title", $0), ($0, "x")]) }
        #expect(Array(keys[0].utf8) == Array(keys[1].utf8))
        #expect(Array(keys[0].utf8) == Array("poster.find?title=\u{ACBD}\u{AD00}&\u{ACBD}\u{AD00}=x".utf8))
    }

    @Test(arguments: [
        (["a": "1&b=2"], ["a": "1", "b": "2"]), (["a": "1%26b%3D2"], ["a": "1&b=2"]), (["a=b": "c"], ["a": "b=c"]),
        (["a": ""], [:]), (["a": "%"], ["a": "%25"]), (["a": "b"], ["a": "B"]), (["a": "b "], ["a": "b"]),
        // With a combining mark after them, "&" and "=" are part of another character.
        (["a": "1&\u{301}b=\u{302}2"], ["a": "1", "\u{301}b": "\u{302}2"]),
    ])
    func `different parameters are different keys`(one: [String: String], other: [String: String]) {
        let keys = [one, other].map { parameters in
            Array(CacheKey.make("k", parameters.map { (name: $0.key, value: $0.value) }).utf8)
        }
        #expect(keys[0] != keys[1])
    }

    @Test func `an absent parameter is not in the key`() {
        #expect(CacheKey.make("k", [("a", nil), ("c", "1"), ("b", nil), ("d", "")]) == "k?c=1&d=")
        #expect(CacheKey.make("k", [("a", nil)]) == "k?")
    }

    @Test func `only delimiters are escaped`() {
        let title = "스파이더맨: 노 웨이 홈 (더빙) / 100%? #1 & '2' = \"3\""
        #expect(
            CacheKey.make("poster.find", [("title", title)])
                == "poster.find?title=스파이더맨: 노 웨이 홈 (더빙) / 100%25? #1 %26 '2' %3D \"3\"")
    }

    @Test func `the keys of the contracts`() throws {
        let date = try #require(Day(iso: "2022-01-05"))
        #expect(ChartRequest(.daily(date), isRefresh: false).cacheKey == "chart.daily?date=2022-01-05")
        #expect(DetailRequest(code: "2023C632", isRefresh: false).cacheKey == "movie.detail?code=2023C632")
        #expect(PosterRequest.cacheKey(code: "20199882") == "poster.find?code=20199882")
    }

    @Test func `a week has one key for all its days, and each part of a chart its own`() throws {
        let week = try ["2022-01-03", "2022-01-09"].map { try #require(Day(iso: $0)) }
        func key(_ kind: ChartKind, _ day: Day, _ filter: ChartFilter = .everything) -> String {
            ChartRequest(ChartSelection(kind, around: day, filter: filter), isRefresh: false).cacheKey
        }
        #expect(week.map { key(.weekly, $0) } == Array(repeating: "chart.weekly?date=2022-01-03", count: 2))
        #expect(week.map { key(.weekend, $0) } == Array(repeating: "chart.weekend?date=2022-01-07", count: 2))
        #expect(week.map { key(.weekdays, $0) } == Array(repeating: "chart.weekdays?date=2022-01-03", count: 2))
        #expect(
            key(.daily, week[0], ChartFilter(region: .seoul, nation: .korean, diversity: .diverse))
                == "chart.daily?date=2022-01-03&diversity=diverse&nation=korean&region=seoul")
    }

    @Test func `a refresh has the key of what it refreshes`() throws {
        let date = try #require(Day(iso: "2022-01-05"))
        #expect(
            ChartRequest(.daily(date), isRefresh: true).cacheKey
                == ChartRequest(.daily(date), isRefresh: false).cacheKey)
        #expect(
            DetailRequest(code: "1", isRefresh: true).cacheKey == DetailRequest(code: "1", isRefresh: false).cacheKey)
    }

    @Test func `the key of a poster is the film's code, else title and year`() {
        func key(_ code: String?, _ title: String, _ year: Year?) -> String {
            PosterRequest(code: code, title: title, year: year, isRefresh: false).cacheKey
        }
        #expect(key("20199882", "경관의 피", 2022) == "poster.find?code=20199882")
        #expect(key("20199882", "another title", nil) == key("20199882", "경관의 피", 2022))
        #expect(key(nil, "경관의 피", 2022) == "poster.find?title=경관의 피&year=2022")
        #expect(key(nil, "경관의 피", nil) == "poster.find?title=경관의 피")
    }
}
