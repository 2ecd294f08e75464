import Assembly
import Contracts
import Domain
import Envelope
import HTTPTypes
import HummingbirdTesting
import Logging
import MessageBus
import NIOCore
import ProcessKit
import TestSupport
import Testing

@testable import DemoUpstreamCore
@testable import WebCore

/// Pages whose parts are missing, late or refused.
@Suite(.timeLimit(.minutes(5))) struct PageFailureTests {
    @Test func `beyond the budget of calls only what is stored is shown`() async throws {
        try await PageScene.run(["BOXOFFICE_WEB_CALLS": "105"]) { stack, get in
            // A bucket of 21 calls, of which a chart of three films needs seven.
            let first = try await get("/2019-03-15?lang=en", .get, [:])
            let cold = try await get("/2014-01-03?lang=en", .get, [:])
            let again = try await get("/2019-03-15?lang=en", .get, [:])
            #expect(first.status == 200 && again.status == 200 && !again.body.contains("Partial answer"))
            #expect(cold.status == 503 && cold.body.contains("used up their upstream calls"), "\(cold.body)")
            // 21 calls are there again after seven of the 105 calls that fill a day.
            let wait = try #require(cold.field("Retry-After").flatMap(Int.init))
            #expect((5_700...5_761).contains(wait))
            let json = try await get("/2014-01-03.json", .get, [:])
            let refresh = try await get("/2019-03-15/refresh", .post, [.origin: "http://localhost"])
            #expect(json.status == 503 && refresh.status == 503)
        }
    }

    @Test func `a film's page that fails costs the calls of its detail alone`() async throws {
        try await PageScene.run(["BOXOFFICE_WEB_CALLS": "400"]) { _, get in
            for number in 1...15 {
                let page = try await get("/films/0000\(1000 + number)", .get, [:])
                #expect(page.status == 404)
            }
            // Of 80 calls, enough are left for a chart with its films.
            let chart = try await get("/2019-03-15?lang=en", .get, [:])
            #expect(chart.status == 200 && !chart.body.contains("used up their upstream calls"))
        }
    }

    @Test func `an error has its status, the date form, and says whether to try again`() async throws {
        try await PageScene.run { stack, get in
            for (target, status) in [
                ("/2026-13-45", 400), ("/nope", 404), ("/films/99999999", 404), ("/1999-01-01", 404),
            ] {
                let page = try await get(target, .get, [:])
                #expect(page.status == status, "\(target)")
                #expect(page.body.contains("action=\"/go\""), "\(target)")
            }
            let early = try await get("/2026-01-01", .get, [:])
            #expect(early.status == 404 && early.field("Retry-After") == String(15 * 3600))
            let away = try await UpstreamSwitches(base: stack.upstream).withFault("error503") {
                try await get("/2015-05-05?lang=en", .get, [:])
            }
            #expect(away.status == 503 && away.fields[.retryAfter] != nil && away.body.contains("Try again"))
        }
    }

    @Test func `when the calls of the day are used up, a page says when there are new ones`() async throws {
        try await PageScene.run(kobisLimit: 1) { _, get in
            _ = try await get("/2015-05-05?lang=en", .get, [:])
            let page = try await get("/2015-05-06?lang=en", .get, [:])
            #expect(page.status == 503 && page.fields[.retryAfter] == String(15 * 3600))
            #expect(page.body.contains("lookups are used up"))
        }
    }

    @Test func `without a broker a page says so, and it works again with one`() async throws {
        try await BusScene.run { scene in
            try await scene.withBus("web/1") { bus in
                let server = try WebServer(
                    bus: bus, WebConfiguration(Environment([:])), logger: Logger(label: "test"))
                try await server.makeApplication().test(.router) { client in
                    @Sendable func show() async throws -> (HTTPResponse.Status, HTTPFields, String) {
                        try await client.execute(uri: "/2019-03-15?lang=en", method: .get) {
                            ($0.status, $0.headers, String(buffer: $0.body))
                        }
                    }
                    @Sendable func expectBrokerAway() async throws {
                        let (status, fields, body) = try await show()
                        #expect(status == .serviceUnavailable && fields[.retryAfter] != nil)
                        #expect(body.contains("not available right now") && body.contains("action=\"/go\""), "\(body)")
                    }
                    try await expectBrokerAway()
                    try await scene.withBroker {
                        // The connection may take a moment to return.
                        while (try? await bus.ping(deadline: .now + .seconds(10))) == nil {
                            try Task.checkCancellation()
                        }
                        let (status, _, body) = try await show()
                        #expect(status == .serviceUnavailable && body.contains("not available right now"), "\(body)")
                    }
                    try await expectBrokerAway()
                }
            }
        }
    }

    @Test func `a page says which parts are missing`() async throws {
        try await PageScene.run { stack, get in
            let page = try await UpstreamSwitches(base: stack.upstream).withFault(
                "error503", path: UpstreamSwitches.imagePath
            ) {
                try await get("/2015-06-05?lang=en", .get, [:])
            }
            #expect(page.status == 200 && page.body.contains("Partial answer"))
            #expect(page.body.contains("poster"))
        }
    }

    @Test func `a part that does not decode is named, and the others are shown`() async throws {
        try await PageScene.run { stack, get in
            let before = try await get("/2015-06-05?lang=en", .get, [:])
            let code = try #require(before.body.firstMatch(of: /href="\/films\/(\w+)/)?.1)
            let put = CachePutRequest(
                key: DetailRequest(code: String(code), isRefresh: false).cacheKey, lease: nil, freshFor: 600,
                attributes: [:], holder: "test/1")
            let request = BusRequest(
                service: ServiceName.cacheStore, kind: CachePutRequest.kind, trace: .root(),
                payload: try JSONBytes.encode(put), attachments: [Array(#"{"title":7}"#.utf8)])
            _ = try await stack.bus.request(request, deadline: .now + .seconds(20))
            let page = try await get("/2015-06-05?lang=en&view=list", .get, [:])
            #expect(!before.body.contains("cannot be read"))
            #expect(page.status == 200 && page.body.contains("The data cannot be read."))
            #expect(
                page.body.matches(of: /<a href="\/films\//).count == before.body.matches(of: /<a href="\/films\//).count
            )
            let film = try await get("/films/\(code)?lang=en", .get, [:])
            #expect(film.status >= 500 && film.body.contains("cannot be read"))
        }
    }

    @Test(arguments: [
        (FailureCode.timeout, 504), (.upstreamTimeout, 504), (.brokerLost, 503), (.unavailable, 503),
        (.quotaExceeded, 503), (.quotaReserved, 503), (.upstreamUnavailable, 503), (.notFound, 404), (.notStored, 404),
    ])
    func `the chart's failure is the status of its page`(code: FailureCode, status: Int) {
        #expect(HTTPResponse.Status(code).code == status)
    }

    @Test func `beyond the budget no route asks the upstream`() async throws {
        try await PageScene.run(["BOXOFFICE_WEB_CALLS": "0"]) { stack, get in
            let calls = try await UpstreamSwitches(base: stack.upstream).calls {
                for target in [
                    "/2019-03-15", "/2019-03-15.json", "/2019-03-15?area=seoul", "/2022-W01", "/films/20199001",
                    "/films/20199001.json", "/search?q=%EB%93%B1%EB%8C%80", "/posters/20199001", "/2019-03-15.csv",
                ] {
                    let page = try await get(target, .get, [:])
                    #expect(page.status == 503, "\(target)")
                }
            }
            #expect(calls == [:])
            let month = try await get("/calendar/2019-03", .get, [:])
            #expect(month.status == 200)
        }
    }

    @Test func `a crawler costs no more than the visitors' budget, and fills no archive`() async throws {
        try await PageScene.run(["BOXOFFICE_WEB_CALLS": "400"]) { stack, get in
            let calls = try await UpstreamSwitches(base: stack.upstream).calls {
                var statuses: [Int: Int] = [:]
                for year in 2004...2013 {
                    for day in ["01-05", "03-11", "06-20", "09-09", "11-30"] {
                        let film = "/films/\(ten(try #require(Day(iso: "\(year)-\(day)")))[0].code)"
                        for target in [
                            "/\(year)-\(day)", "/\(year)-\(day).json", film, "/calendar/\(year)-01", "/\(year)",
                        ] {
                            statuses[try await get(target, .get, [:]).status, default: 0] += 1
                        }
                    }
                }
                #expect(statuses.keys.sorted() == [200, 503], "\(statuses)")
            }
            // A visitor's share of a day, and what has come back since.
            #expect(calls.values.reduce(0, +) <= 80, "\(calls)")
            let query = Query(bus: stack.bus, deadline: .now + .seconds(10), clock: stack.ahead.clock)
            let days = (try #require(Day(iso: "2004-01-01")))...(try #require(Day(iso: "2013-12-31")))
            let known = try await query.topFilms(in: days, by: .audience, nation: nil, limit: 1, calls: 0).basis.known
            // What it made the stack fetch for it is archived, and nothing else.
            #expect(known <= calls.values.reduce(0, +))
        }
    }

    @Test func `a request that another site causes asks no upstream, and a link from there does`() async throws {
        try await PageScene.run { stack, get in
            func fields(_ site: String, _ mode: String, _ destination: String) -> HTTPFields {
                [.secFetchSite: site, .secFetchMode: mode, .secFetchDest: destination]
            }
            let calls = try await UpstreamSwitches(base: stack.upstream).calls {
                for foreign in [
                    fields("cross-site", "no-cors", "image"), fields("same-site", "cors", "empty"),
                    fields("cross-site", "navigate", "iframe"),
                ] {
                    for target in ["/2019-03-15", "/2019-03-15.json", "/films/20199001", "/posters/20199001"] {
                        let page = try await get(target, .get, foreign)
                        #expect(page.status == 404, "\(target)")
                    }
                    #expect(try await get("/events?kind=bench.*", .get, foreign).status == 403)
                }
            }
            #expect(calls == [:])
            let page = try await get("/2019-03-15?lang=en", .get, fields("cross-site", "navigate", "document"))
            #expect(page.status == 200)
            let stored = try await get("/2019-03-15.json", .get, fields("cross-site", "cors", "empty"))
            #expect(stored.status == 200)
        }
    }

    @Test func `another attempt has the address of the page that failed`() async throws {
        try await PageScene.run { stack, get in
            try await UpstreamSwitches(base: stack.upstream).withFault("error503") {
                for target in [
                    "/search?q=dawn&page=2&lang=en", "/2014-01-03?view=grid&area=seoul&lang=en",
                    "/films/20199001?lang=en", "/2022-W01/weekend?lang=en",
                ] {
                    let page = try await get(target, .get, [:])
                    let link = target.replacing("&", with: "&amp;")
                    #expect(page.status == 503 && page.body.contains("href=\"\(link)\">Try again"), "\(page.body)")
                    #expect(page.body.contains("How this was answered"))
                }
            }
        }
        try await PageScene.run(["BOXOFFICE_WEB_CALLS": "0"]) { _, get in
            let page = try await get("/2022-01-05/refresh?view=grid&lang=en", .post, [.origin: "http://localhost"])
            #expect(page.status == 503)
            #expect(page.body.contains("href=\"/2022-01-05?view=grid&amp;lang=en\">Try again"), "\(page.body)")
        }
    }

    @Test func `a late poster is named, and its page does not wait for it`() async throws {
        try await PageScene.run { stack, get in
            let found = try await get("/search?q=%EB%93%B1%EB%8C%80", .get, [:])
            let films = found.body.matches(of: /href="(\/films\/\w+)"/).map { "\($0.1)?lang=en" }
            try #require(films.count > 1)
            // Every second search for an image lasts longer than a page waits for a part; the next page waits for the same call.
            try await UpstreamSwitches(base: stack.upstream).withFault(
                "slow&ms=2500&every=2", path: UpstreamSwitches.imagePath
            ) {
                let first = try await get(films[0], .get, [:])
                let second = try await get(films[1], .get, [:])
                #expect(first.status == 200)
                #expect(second.status == 200 && second.body.contains("poster: "), "\(second.body)")
            }
            let again = try await get(films[1], .get, [:])
            #expect(again.body.contains("<img") && !again.body.contains("poster: "))
        }
    }

    @Test func `a date out of range names the range`() async throws {
        try await PageScene.run { _, get in
            let page = try await get("/1999-01-01?lang=en", .get, [:])
            #expect(page.status == 404 && page.body.contains("2003-11-11") && page.body.contains("2025-12-31"))
        }
    }
}
