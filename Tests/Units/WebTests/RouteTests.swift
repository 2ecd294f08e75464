import Domain
import Testing

@testable import WebCore

@Suite struct RouteTests {
    /// 2026-11-24 09:00 in Seoul.
    private static let now = 1_795_478_400.0

    private func route(_ target: String, _ method: Route.Method = .get) throws(RouteError) -> Route {
        try Route(method, target, now: Self.now)
    }

    private func expectPage(
        _ target: String, _ page: PageAddress, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let route = try route(target)
        #expect(route == .page(page), sourceLocation: sourceLocation)
    }

    private static func chart(
        _ kind: ChartKind, _ day: String, _ layout: ChartLayout = .list, _ filter: ChartFilter = .everything
    ) throws -> PageAddress {
        .chart(ChartSelection(kind, around: try #require(Day(iso: day)), filter: filter), layout)
    }

    @Test func `each page has its address`() throws {
        let seoul = ChartFilter(region: .seoul, nation: .korean, diversity: .diverse)
        let pages: [(String, PageAddress)] = [
            ("/2022-01-05", try Self.chart(.daily, "2022-01-05")),
            ("/2022-01-05?view=grid", try Self.chart(.daily, "2022-01-05", .grid)),
            ("/2022-W01", try Self.chart(.weekly, "2022-01-05")),
            ("/2022-W01/weekend", try Self.chart(.weekend, "2022-01-05")),
            ("/2022-W01/weekdays?view=grid", try Self.chart(.weekdays, "2022-01-05", .grid)),
            (
                "/2022-01-05?view=grid&area=seoul&nation=korean&diversity=diverse",
                try Self.chart(.daily, "2022-01-05", .grid, seoul)
            ),
            ("/films/2023C632", .film("2023C632")),
            ("/films/2023C632?date=2022-01-05", .film("2023C632", until: Day(iso: "2022-01-05"))),
            ("/calendar/2022-01", .calendar(try #require(Month(iso: "2022-01")))),
            ("/2022-01", .month(try #require(Month(iso: "2022-01")))), ("/2022", .year(2022)), ("/records", .records()),
            ("/records?range=2022-01", .records(Month(iso: "2022-01")?.days)),
            ("/records?range=2021", .records(ChartPeriod.year(named: "2021"))),
            ("/compare", .compare([], .release)),
            (
                "/compare?film=20199882&film=%EB%B0%80%EC%88%98&by=date",
                .compare(["20199882", "밀수"], .date)
            ),
            ("/search?q=%EB%93%B1%EB%8C%80", Self.search("등대")), ("/search", Self.search(nil)),
            ("/search?q=a%26b&page=3", Self.search("a&b", page: 3)), ("/about", .about),
            (
                "/search?q=a&director=%EB%B4%89&opened=2000-2019",
                .search(
                    FilmSearch(title: "a", director: "봉", openingYears: 2000...2019, pageSize: FilmSearch.usualPageSize)
                )
            ),
            ("/how/0123456789abcdef", .how("0123456789abcdef")),
        ]
        for (path, address) in pages {
            let route = try route(path)
            #expect(address.path() == path && route == .page(address))
        }
    }

    private static func search(_ title: String?, page: PageNumber = 1) -> PageAddress {
        .search(FilmSearch(title: title, page: page, pageSize: FilmSearch.usualPageSize))
    }

    @Test func `a chart as a table has the address of its page`() throws {
        let seoul = ChartFilter(region: .seoul)
        let day = try #require(Day(iso: "2022-01-05"))
        let selection = ChartSelection(.daily, around: day, filter: seoul)
        let table = try route("/2022-01-05.csv?area=seoul")
        #expect(table == .table(selection))
        #expect(PageAddress.chart(selection, .grid).path(as: ".csv") == "/2022-01-05.csv?area=seoul")
        #expect(PageAddress.chart(ChartSelection(.weekend, around: day), .list).fileName == "2022-W01-weekend")
    }

    @Test func `the first page is yesterday in Seoul`() throws {
        try expectPage("/", Self.chart(.daily, "2026-11-23"))
        // Fifteen hours later the day is over in Seoul.
        let later = try Route(.get, "/", now: Self.now + 15 * 3600)
        let next = Route.page(try Self.chart(.daily, "2026-11-24"))
        #expect(later == next)
    }

    @Test func `an answer as JSON has the address of its page`() throws {
        for path in ["/2022-01-05", "/2022-W01/weekend", "/films/20199882"] {
            guard case .json(let page) = try route(path + ".json") else {
                Issue.record("\(path)")
                continue
            }
            try expectPage(path, page)
            #expect(page.path(as: ".json") == path + ".json")
        }
        let search = try route("/search.json?q=a")
        #expect(search == .json(Self.search("a")))
        let grid = try Self.chart(.daily, "2022-01-05", .grid)
        #expect(grid.path(as: ".json") == "/2022-01-05.json")
    }

    @Test func `a form's empty values restrict nothing, and a region has its Korean name, too`() throws {
        try expectPage("/2022-01-05?area=&nation=&diversity=&view=", Self.chart(.daily, "2022-01-05"))
        let seoul = try Self.chart(.daily, "2022-01-05", .list, ChartFilter(region: .seoul))
        try expectPage("/2022-01-05?area=%EC%84%9C%EC%9A%B8", seoul)
    }

    @Test(
        arguments: [
            "/2026-13-45", "/0000-00-00", "/2022-02-30", "/2022-1", "/1", "/99999999999999999999", "/2022-W99",
            "/2022-W01x",
        ])
    func `a malformed date is named`(path: String) {
        #expect(throws: RouteError.day(.notADay(String(path.dropFirst())))) { try route(path) }
    }

    @Test func `a date without a chart has its reason`() throws {
        let (first, last) = (Day.firstChart, try #require(Day(iso: "2026-11-23")))
        let today = try #require(Day(iso: "2026-11-24"))
        #expect(throws: RouteError.day(.notPublished(today))) { try route("/2026-11-24") }
        for text in ["2026-11-25", "2003-11-10", "9999-12-31"] {
            let day = try #require(Day(iso: text))
            #expect(throws: RouteError.day(.outOfRange(day, first: first, last: last))) { try route("/\(text)") }
        }
        #expect(throws: RouteError.self) { try route("/2026-W49") }
        #expect(throws: RouteError.self) { try route("/calendar/2026-12") }
        for text in ["/2026-12", "/2003-10", "/2002", "/2027", "/2022-13"] {
            #expect(throws: RouteError.self) { try route(text) }
        }
        #expect(throws: RouteError.parameter("film")) {
            try route("/compare?" + (1...7).map { "film=\($0)" }.joined(separator: "&"))
        }
        #expect(throws: RouteError.self) { try route("/calendar/2003-10") }
        try expectPage("/2003-W46", Self.chart(.weekly, "2003-11-11"))
    }

    @Test(
        arguments: [
            "", "x", "//", "/..", "/../etc/passwd", "/..%2f", "/%00", "/2022-01-05/", "/2022-01-05/weekend",
            "/2022-W01/monday", "/2022-W01/weekend/x", "/films/", "/films/1", "/films/123456789", "/films/20199882/x",
            "/posters/..", "/posters/http:", "/calendar/2022-13", "/calendar/x", "/calendar/2022-01.json",
            "/2022-01.json", "/2022.json",
            "/about.json",
            "/nope", "/how/", "/how/x", "/how/0123456789ABCDEF", "/films/20199882.csv", "/어제", "/\u{0}",
            "/index.html", "/assets/", "/.json",
        ])
    func `any other address is unknown`(target: String) {
        #expect(throws: RouteError.unknown) { try route(target) }
    }

    @Test(
        arguments: [
            ("/2022-01-05?view=table", "view"), ("/2022-01-05?area=mars", "area"), ("/2022-01-05?nation=x", "nation"),
            ("/2022-01-05?diversity=x", "diversity"), ("/search?q=a&page=0", "page"), ("/search?q=a&page=x", "page"),
            ("/search?q=" + String(repeating: "a", count: 301), "q"),
        ])
    func `a parameter with an impossible value is named`(target: String, name: String) {
        #expect(throws: RouteError.parameter(name)) { try route(target) }
    }

    @Test func `only a chart is refreshed`() throws {
        let refresh = try route("/2022-01-05/refresh?view=grid", .post)
        let chart = try Self.chart(.daily, "2022-01-05", .grid)
        #expect(refresh == .refresh(chart))
        for path in ["/", "/2022-01-05", "/films/20199882/refresh", "/refresh", "/x/refresh"] {
            #expect(throws: RouteError.self) { try route(path, .post) }
        }
        #expect(throws: RouteError.self) { try route("/2022-01-05/refresh") }
    }
}
