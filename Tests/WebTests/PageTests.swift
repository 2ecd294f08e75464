import BoxOffice
import Contracts
import Envelope
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MessageBus
import ProcessKit
import TestSupport
import Testing

@testable import WebCore

/// The pages on a real stack: broker, cache-store, fetchers and demo-upstream.
@Suite(.timeLimit(.minutes(5))) struct PageTests {
    /// 2026-01-01 09:00 in Seoul.
    private static let now = 1_767_225_600.0

    private struct Page {
        let status: Int
        let body: String
        let fields: HTTPFields

        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
    }

    private typealias Get = @Sendable (String, HTTPRequest.Method, HTTPFields) async throws -> Page

    private func withPages(
        _ settings: [String: String] = [:], kobisLimit: CallLimit = 3_000,
        _ body: @escaping @Sendable (StackScene, Get) async throws -> Void
    ) async throws {
        try await StackScene.run(from: Self.now, kobisLimit: kobisLimit) { stack in
            let server = try WebServer(
                bus: stack.bus, try WebConfiguration(Environment(settings)), clock: stack.ahead.clock,
                logger: Logger(label: "test"))
            try await server.makeApplication().test(.router) { client in
                try await body(stack) { target, method, fields in
                    try await client.execute(uri: target, method: method, headers: fields) { response in
                        Page(
                            status: response.status.code, body: String(buffer: response.body),
                            fields: response.headers)
                    }
                }
            }
        }
    }

    @Test func `a chart has the rows of the command line`() async throws {
        try await withPages { _, get in
            let page = try await get("/2019-03-15?lang=ko", .get, [:])
            #expect(page.status == 200)
            #expect(page.body.contains("<h1>2019-03-15 금요일</h1>"))
            for text in ["유리 등대", "바람의 지도 제작자", "오늘 <b>", "신작", "/films/20199001", "데모 자료"] {
                #expect(page.body.contains(text), "\(text)")
            }
            #expect(page.body.components(separatedBy: "<li class=\"film\" ").count > 2)
            let grid = try await get("/2019-03-15?view=grid&lang=en", .get, [:])
            #expect(grid.status == 200 && grid.body.contains("<li class=\"cell\" "))
            #expect(grid.body.contains("2019-03-15 Friday") && grid.body.contains("demo data"))
        }
    }

    @Test func `weeks, filters, films, searches and months have pages`() async throws {
        try await withPages { _, get in
            for target in [
                "/", "/2022-W01", "/2022-W01/weekend", "/2022-W01/weekdays", "/2022-01-05?area=seoul&nation=foreign",
                "/search?q=%EB%93%B1%EB%8C%80", "/calendar/2022-01", "/about", "/films/20199001",
            ] {
                for language in ["ko", "en"] {
                    let page = try await get(
                        target + (target.contains("?") ? "&" : "?") + "lang=\(language)", .get, [:])
                    #expect(page.status == 200, "\(target) \(page.body)")
                    #expect(page.body.hasPrefix("<!doctype html>") && page.body.contains("<html lang=\"\(language)\">"))
                    #expect(!page.body.contains("{{"), "\(target)")
                }
            }
            let film = try await get("/films/20199001?lang=ko", .get, [:])
            let labels = ["감독", "제작년도", "개봉일", "상영시간", "관람등급", "제작국가", "장르", "배우"]
            let places = labels.compactMap { film.body.range(of: "<dt>\($0)</dt>")?.lowerBound }
            #expect(places.count == 8 && places == places.sorted())
        }
    }

    @Test func `beyond the budget of calls only what is stored is shown`() async throws {
        try await withPages(["BOXOFFICE_WEB_CALLS": "105"]) { stack, get in
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

    @Test func `the feed has the stored charts of the fortnight`() async throws {
        try await withPages { _, get in
            for target in ["/2025-12-30", "/2025-12-17"] { _ = try await get(target, .get, [:]) }
            let feed = try await get("/feed.atom?lang=en", .get, [:])
            #expect(feed.field("Vary") == "Accept-Language")
            #expect(feed.status == 200 && feed.field("Content-Type")?.hasPrefix("application/atom+xml") == true)
            let days = feed.body.matches(of: /<link rel="alternate" type="text\/html" href="\/(\d{4}-\d\d-\d\d)/)
            // Yesterday's chart is fetched; 17 December is the day before the fortnight.
            #expect(days.map { String($0.1) } == ["2025-12-31", "2025-12-30"])
            #expect(feed.body.contains("<updated>2025-12-31T15:00:00") && feed.body.contains("1. "))
        }
    }

    @Test func `a page names absolute addresses only where the site is set`() async throws {
        try await withPages { _, get in
            let page = try await get("/2019-03-15", .get, [:])
            #expect(page.body.contains("og:title") && !page.body.contains("og:url") && !page.body.contains("og:image"))
        }
        try await withPages(["BOXOFFICE_WEB_URL": "https://films.example/"]) { _, get in
            let page = try await get("/2019-03-15?view=grid&lang=en", .get, [:])
            let address = "https://films.example/2019-03-15?view=grid"
            #expect(page.body.contains("<link rel=\"canonical\" href=\"\(address)\">"))
            #expect(page.body.contains("<meta property=\"og:url\" content=\"\(address)\">"))
            let image = try #require(
                page.body.firstMatch(of: /og:image" content="https:\/\/films\.example(\/posters\/\d+)"/))
            let poster = try await get(String(image.1), .get, [:])
            #expect(poster.status == 200)
            let feed = try await get("/feed.atom", .get, [:])
            #expect(feed.body.contains("<id>https://films.example/feed.atom</id>"))
        }
    }

    @Test func `a response names the trace of its query`() async throws {
        try await withPages { _, get in
            for target in ["/2019-03-15", "/nope", "/about", "/healthz"] {
                let page = try await get(target, .get, [:])
                let trace = try #require(page.field("traceparent"))
                #expect(trace.wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-01/) != nil, "\(trace)")
                #expect(page.field("Server-Timing")?.hasPrefix("answer;dur=") == true)
            }
            let film = try await get("/films/20199001", .get, [:])
            let how = try #require(film.body.firstMatch(of: /\/how\/([0-9a-f]{16})/))
            #expect(film.field("traceparent")?.contains(how.1) == true)
        }
    }

    @Test func `a stored day is marked in its month`() async throws {
        try await withPages { _, get in
            _ = try await get("/2022-01-05", .get, [:])
            let month = try await get("/calendar/2022-01?lang=ko", .get, [:])
            #expect(month.body.contains("<td class=\"stored\"><a href=\"/2022-01-05?lang=ko\""))
            #expect(month.body.components(separatedBy: "class=\"stored\"").count == 2)
        }
    }

    @Test func `an error has its status, the date form, and says whether to try again`() async throws {
        try await withPages { stack, get in
            for (target, status) in [
                ("/2026-13-45", 400), ("/nope", 404), ("/films/99999999", 404), ("/1999-01-01", 404), ("/search", 400),
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
        try await withPages(kobisLimit: 1) { _, get in
            _ = try await get("/2015-05-05?lang=en", .get, [:])
            let page = try await get("/2015-05-06?lang=en", .get, [:])
            #expect(page.status == 503 && page.fields[.retryAfter] == String(15 * 3600))
            #expect(page.body.contains("midnight in Seoul"))
        }
    }

    @Test(arguments: [
        (FailureCode.timeout, 504), (.upstreamTimeout, 504), (.brokerLost, 503), (.unavailable, 503),
        (.quotaExceeded, 503), (.quotaReserved, 503), (.upstreamUnavailable, 503), (.notFound, 404), (.notStored, 404),
    ])
    func `the chart's failure is the status of its page`(code: FailureCode, status: Int) {
        #expect(HTTPResponse.Status(code).code == status)
    }

    @Test func `each page leads to how it was answered`() async throws {
        try await withPages { _, get in
            for target in ["/2019-03-15?lang=en", "/films/20199001?lang=en", "/search?q=%EB%93%B1%EB%8C%80&lang=en"] {
                let page = try await get(target, .get, [:])
                let link = try #require(
                    page.body.firstMatch(of: /href="(\/how\/[0-9a-f]{16}\?lang=en)"/), "\(page.body)")
                let how = try await get(String(link.1), .get, [:])
                #expect(how.status == 200 && how.body.contains("<rect class=\"bar critical\""))
                #expect(how.body.contains("cache-store/1") && how.body.contains("(web)"))
                #expect(how.body.contains("How was this answered?"))
            }
            let unknown = try await get("/how/0123456789abcdef", .get, [:])
            #expect(unknown.status == 404)
        }
        try await withPages(["BOXOFFICE_WEB_HOW": "0"]) { _, get in
            let page = try await get("/2019-03-15", .get, [:])
            #expect(page.status == 200 && !page.body.contains("/how/"))
        }
    }

    @Test func `without a broker a page says so, and it works again with one`() async throws {
        try await BusScene.run { scene in
            try await scene.withBus("web/1") { bus in
                let server = try WebServer(
                    bus: bus, try WebConfiguration(Environment([:])), logger: Logger(label: "test"))
                try await server.makeApplication().test(.router) { client in
                    @Sendable func show() async throws -> (HTTPResponse.Status, HTTPFields, String) {
                        try await client.execute(uri: "/2019-03-15?lang=en", method: .get) {
                            ($0.status, $0.headers, String(buffer: $0.body))
                        }
                    }
                    @Sendable func expectBrokerAway() async throws {
                        let (status, fields, body) = try await show()
                        #expect(status == .serviceUnavailable && fields[.retryAfter] != nil)
                        #expect(body.contains("broker") && body.contains("action=\"/go\""), "\(body)")
                    }
                    try await expectBrokerAway()
                    try await scene.withBroker {
                        // The connection may take a moment to return.
                        while (try? await bus.ping(deadline: .now + .seconds(10))) == nil {}
                        let (status, _, body) = try await show()
                        #expect(status == .serviceUnavailable && body.contains("chart-fetcher"), "\(body)")
                    }
                    try await expectBrokerAway()
                }
            }
        }
    }

    @Test func `a page says which parts are missing`() async throws {
        try await withPages { stack, get in
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
        try await withPages { stack, get in
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
            #expect(page.status == 200 && page.body.contains("A part of the answer cannot be read."))
            #expect(
                page.body.matches(of: /<a href="\/films\//).count == before.body.matches(of: /<a href="\/films\//).count
            )
            let film = try await get("/films/\(code)?lang=en", .get, [:])
            #expect(film.status >= 500 && film.body.contains("cannot be read"))
        }
    }

    @Test func `a refresh asks the upstream again and returns to the page`() async throws {
        try await withPages { _, get in
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let own: HTTPFields = [site: "same-origin"]
            let answer = try await get("/2022-01-05/refresh?view=grid&lang=en", .post, own)
            #expect(answer.status == 303 && answer.fields[.location] == "/2022-01-05?view=grid&lang=en")
            let weekend = try await get("/2022-W01/weekend/refresh?lang=en", .post, own)
            #expect(weekend.status == 303 && weekend.fields[.location] == "/2022-W01/weekend?lang=en")
            let foreign = try await get("/2022-01-05/refresh", .post, [:])
            #expect(foreign.status == 403)
            let form = try await get("/go?date=20220105", .get, [:])
            #expect(form.status == 303 && form.fields[.location] == "/2022-01-05")
            let malformed = try await get("/go?date=x", .get, [:])
            #expect(malformed.status == 400)
        }
    }

    @Test func `a poster is an image of our own search`() async throws {
        try await withPages { _, get in
            let image = try await get("/posters/20199001", .get, [:])
            #expect(image.status == 200 && image.fields[.contentType] == "image/png")
            #expect(image.fields[.cacheControl]?.hasPrefix("private, max-age=") == true)
            #expect(image.field("X-Robots-Tag") == "noimageindex")
            let unknown = try await get("/posters/99999999", .get, [:])
            #expect(unknown.status == 404)
        }
        try await withPages(["BOXOFFICE_WEB_POSTERS": "off"]) { _, get in
            let image = try await get("/posters/20199001", .get, [:])
            #expect(image.status == 404)
            let page = try await get("/2019-03-15", .get, [:])
            #expect(!page.body.contains("<img"))
        }
    }

    @Test func `every response has the fields that protect its reader`() async throws {
        try await withPages { _, get in
            for target in ["/about", "/nope", "/robots.txt", "/schemas/show.schema.json", "/posters/99999999"] {
                let page = try await get(target, .get, [:])
                let policy = try #require(page.field("Content-Security-Policy"))
                #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("unsafe"))
                #expect(page.field("X-Content-Type-Options") == "nosniff")
            }
            let page = try await get("/about", .get, [.acceptEncoding: "gzip"])
            #expect(page.fields[.contentEncoding] == "gzip")
            let head = try await get("/about", .head, [:])
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    @Test func `an asset has a name of its bytes and is kept for ever`() async throws {
        try await withPages { _, get in
            let page = try await get("/about", .get, [:])
            let match = try #require(page.body.firstMatch(of: /href="(\/assets\/style-[0-9a-f]+\.css)"/))
            let style = try await get(String(match.1), .get, [:])
            #expect(style.status == 200 && style.fields[.contentType] == "text/css; charset=utf-8")
            #expect(style.fields[.cacheControl]?.contains("immutable") == true)
            let other = try await get("/assets/style-0.css", .get, [:])
            #expect(other.status == 404)
        }
    }
}
