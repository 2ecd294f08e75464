import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The pages on a real stack: broker, cache-store, fetchers and demo-upstream.
@Suite(.timeLimit(.minutes(5))) struct PageTests {
    @Test func `a chart has the rows of the command line`() async throws {
        try await PageScene.run { _, get in
            let page = try await get("/2019-03-15?lang=ko", .get, [:])
            #expect(page.status == 200)
            #expect(page.body.contains("<h1>2019년 3월 15일 금요일</h1>"))
            for text in ["유리 등대", "바람의 지도 제작자", ">당일</span> <b>", "신작", "/films/20199001", "데모 데이터"] {
                #expect(page.body.contains(text), "\(text)")
            }
            #expect(page.body.components(separatedBy: "<li class=\"film\" ").count > 2)
            // Director, rating, minutes, genres.
            let summary = /<p class="summary"><bdi>[^<]+ · [^<]+관람가 · \d+분 · [^<]+<\/bdi>/
            #expect(page.body.contains(summary), "\(page.body)")
            #expect(page.body.contains("확정") && page.body.contains("<span class=\"move new\">신작</span>"))
            let fetched = "<time datetime=\"2026-01-01T09:00:00+09:00\">2026-01-01 09:00 기준</time>"
            let again = try await get("/2019-03-15?lang=ko", .get, [:])
            #expect(page.body.contains(fetched) && again.body.contains(fetched))
            let grid = try await get("/2019-03-15?view=grid&lang=en", .get, [:])
            #expect(grid.status == 200 && grid.body.contains("<li class=\"cell\" "))
            #expect(grid.body.contains("Friday, 15 March 2019") && grid.body.contains("demo data"))
            #expect(grid.body.contains(/<p class="source"><a href="https?:/))
            let yesterday = try await get("/?lang=en", .get, [:])
            #expect(yesterday.body.contains("<p class=\"state\">provisional"))
        }
    }

    @Test func `weeks, filters, films, searches and months have pages`() async throws {
        try await PageScene.run { _, get in
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
            let labels = ["감독", "제작연도", "개봉일", "상영시간", "관람등급", "제작국가", "장르", "배우"]
            let places = labels.compactMap { film.body.range(of: "<dt>\($0)</dt>")?.lowerBound }
            #expect(places.count == 8 && places == places.sorted())
            #expect(film.body.contains(/포스터: <a href="https?:[^"]+" rel="noreferrer nofollow">/))
            #expect(film.body.contains("누적 관객"))
        }
    }

    @Test func `the feed has the last fourteen settled days of the archive, the latest first`() async throws {
        try await PageScene.run { stack, get in
            try await archive("2025-12-10"..."2025-12-31", stack)
            let calls = try await UpstreamSwitches(base: stack.upstream).calls {
                let feed = try await get("/feed.atom?lang=en", .get, [:])
                #expect(feed.field("Vary") == "Accept-Language")
                #expect(feed.status == 200 && feed.field("Content-Type")?.hasPrefix("application/atom+xml") == true)
                let links = feed.body.matches(
                    of: /<link rel="alternate" type="text\/html" href="http:\/\/localhost\/(\d{4}-\d\d-\d\d)\?lang=en/)
                // The chart of the 31st is provisional until noon.
                let days = (17...30).reversed().map { "2025-12-\($0)" }
                #expect(links.map { String($0.1) } == days)
                #expect(feed.body.components(separatedBy: "&lt;tr&gt;&lt;td&gt;").count > 14 * 5)
            }
            #expect(calls == [:])
        }
    }

    @Test func `a page names absolute addresses only where the site is set`() async throws {
        try await PageScene.run { _, get in
            let page = try await get("/2019-03-15", .get, [:])
            #expect(page.body.contains("og:title") && !page.body.contains("og:url") && !page.body.contains("og:image"))
        }
        try await PageScene.run(["BOXOFFICE_WEB_URL": "https://films.example/"]) { _, get in
            let page = try await get("/2019-03-15?view=grid&lang=en", .get, [:])
            let plain = "https://films.example/2019-03-15?view=grid"
            let address = plain + "&amp;lang=en"
            #expect(page.body.contains("<link rel=\"canonical\" href=\"\(address)\">"))
            #expect(page.body.contains("<meta property=\"og:url\" content=\"\(address)\">"))
            for (language, address) in [("ko", plain + "&amp;lang=ko"), ("en", address), ("x-default", plain)] {
                #expect(page.body.contains("hreflang=\"\(language)\" href=\"\(address)\""), "\(language)")
            }
            let image = try #require(
                page.body.firstMatch(of: /og:image" content="https:\/\/films\.example(\/posters\/\d+)"/))
            let poster = try await get(String(image.1), .get, [:])
            #expect(poster.status == 200)
            let feed = try await get("/feed.atom", .get, [:])
            #expect(feed.body.contains("<id>https://films.example/feed.atom</id>"))
        }
    }

    @Test func `a response names the trace of its query`() async throws {
        try await PageScene.run { _, get in
            let page = try await get("/2019-03-15", .get, [:])
            let trace = try #require(page.field("traceparent"))
            #expect(trace.wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-01/) != nil, "\(trace)")
            #expect(page.field("Server-Timing")?.hasPrefix("answer;dur=") == true)
            // Their answers need no query.
            for target in ["/nope", "/about", "/healthz"] {
                #expect(try await get(target, .get, [:]).field("traceparent") == nil, "\(target)")
            }
            let film = try await get("/films/20199001", .get, [:])
            let how = try #require(film.body.firstMatch(of: /\/how\/([0-9a-f]{16})/))
            #expect(film.field("traceparent")?.contains(how.1) == true)
        }
    }

    @Test func `an answer says what the caches did`() async throws {
        try await PageScene.run { _, get in
            for target in ["/films/20199001", "/search?q=dawn", "/2019-03-15.json", "/films/20199001.json"] {
                _ = try await get(target, .get, [:])
                let page = try await get(target, .get, [:])
                let status = try #require(page.field("Cache-Status"))
                #expect(
                    status.wholeMatch(of: /cache-store; hit; ttl=\d+, boxoffice; fwd=(miss|bypass)/) != nil,
                    "\(target) \(status)")
            }
        }
    }

    @Test(arguments: ["/2019-03-15.json", "/films/20199001.json", "/feed.atom", "/posters/20199001"])
    func `what is for programs has a tag, by which it is not sent again`(target: String) async throws {
        try await PageScene.run { _, get in
            let first = try await get(target, .get, [:])
            let tag = try #require(first.field("ETag"))
            let again = try await get(target, .get, [.ifNoneMatch: tag])
            #expect(again.status == 304 && again.body.isEmpty && again.field("ETag") == tag)
            let other = try await get(target, .get, [.ifNoneMatch: "W/\"other\""])
            #expect(other.status == 200 && other.field("ETag") == tag)
        }
    }

    @Test func `sources, robots and schemas are where they are looked for`() async throws {
        try await PageScene.run { _, get in
            let about = try await get("/about?lang=en", .get, [:])
            let words = ["KOBIS", "Korean Film Council", "not affiliated", "before 2011", "third parties", "Kakao"]
            for word in words { #expect(about.body.contains(word), "\(word)") }
            let robots = try await get("/robots.txt", .get, [:])
            #expect(robots.body.contains("Allow: /2025-12-31?lang=\n") && robots.body.contains("Allow: /2003$\n"))
            let days = robots.body.matches(of: /Allow: \/(\d{4}-\d\d-\d\d)\$/).map { String($0.1) }
            #expect(days.count == 14 && days.first == "2025-12-31" && days.last == "2025-12-18")
            #expect(robots.body.hasSuffix("Disallow: /\n"))
            let schema = try await get("/schemas/show.schema.json", .get, [:])
            #expect(schema.status == 200 && schema.field("Content-Type") == "application/schema+json")
            #expect(try JSONSerialization.jsonObject(with: Data(schema.body.utf8)) is [String: Any])
        }
    }

    @Test func `a day without a chart has no link in its month`() async throws {
        try await PageScene.run { _, get in
            let month = try await get("/calendar/2003-11", .get, [:])
            #expect(month.body.contains("<td>10</td>") && month.body.contains("href=\"/2003-11-11\""))
        }
    }

    @Test func `each archived day has its no. 1 in its month, and the others are marked`() async throws {
        try await PageScene.run { stack, get in
            try await archive("2022-01-05"..."2022-01-06", stack)
            let month = try await get("/calendar/2022-01?lang=ko", .get, [:])
            #expect(month.body.contains("\"><a href=\"/2022-01-05?lang=ko\" aria-label=\"2022-01-05 수요일, 1위 "))
            #expect(month.body.components(separatedBy: "<td class=\"unknown\">").count == 30)
        }
    }

    @Test func `each page leads to how it was answered`() async throws {
        try await PageScene.run { _, get in
            for target in [
                "/2019-03-15?lang=en", "/films/20199001?lang=en", "/search?q=%EB%93%B1%EB%8C%80&lang=en",
                "/films/99999999?lang=en",
            ] {
                let page = try await get(target, .get, [:])
                let link = try #require(
                    page.body.firstMatch(of: /href="(\/how\/[0-9a-f]{16}\?lang=en)"/), "\(page.body)")
                let how = try await get(String(link.1), .get, [:])
                #expect(how.status == 200 && how.body.contains("<rect class=\"bar critical\""))
                #expect(how.body.contains("cache-store/1") && how.body.contains("(web)"))
                #expect(how.body.contains(/<td>(chart 2019-03-15|details of |search for |cache lookup)/), "\(how.body)")
                let json = try await get(String(link.1.prefix { $0 != "?" }) + ".json", .get, [:])
                #expect(json.status == 200 && json.body.contains("\"wallMicroseconds\""))
                #expect(how.body.contains("<h1>How this was answered</h1>"))
            }
            let month = try await get("/calendar/2019-03", .get, [:])
            #expect(month.body.contains("/how/"))
            let unknown = try await get("/how/0123456789abcdef", .get, [:])
            #expect(unknown.status == 404)
        }
        try await PageScene.run(["BOXOFFICE_WEB_HOW": "0"]) { _, get in
            let page = try await get("/2019-03-15", .get, [:])
            #expect(page.status == 200 && !page.body.contains("/how/"))
            #expect(page.field("Server-Timing") == nil && page.field("traceparent") == nil)
            for target in ["/how", "/events"] {
                let hidden = try await get(target, .get, [:])
                #expect(hidden.status == 404, "\(target)")
            }
        }
    }

    @Test func `a search has titles, directors and years, and alone is a form`() async throws {
        try await PageScene.run { _, get in
            let form = try await get("/search?lang=en", .get, [:])
            #expect(
                form.status == 200 && form.body.contains("name=\"director\"") && form.body.contains("name=\"opened\""))
            // A director on a film's page leads to the films of that director.
            let film = try await get("/films/20199001?lang=en", .get, [:])
            let link = try #require(film.body.firstMatch(of: /href="(\/search\?director=[^"]+)"/), "\(film.body)")
            let found = try await get(String(link.1).replacing("&amp;", with: "&"), .get, [:])
            #expect(found.status == 200 && found.body.contains("/films/20199001"), "\(found.body)")
            #expect(found.body.contains("in the order of KOBIS"))
            let none = try await get("/search?q=zzzz&opened=1999&lang=en", .get, [:])
            #expect(
                none.body.contains("Not in archived charts; KOBIS can be searched by Korean titles only.")
                    && none.body.contains("another spelling"))
            #expect(none.body.contains("<h1>zzzz · released 1999</h1>"))
            // Archived charts have no directors: nothing is said of them.
            let director = try await get("/search?q=zzzz&director=Nobody&lang=en", .get, [:])
            #expect(
                director.body.contains("KOBIS can be searched by Korean titles only.")
                    && !director.body.contains("archived charts"), "\(director.body)")
        }
    }

    @Test func `a refresh asks the upstream again and returns to the page`() async throws {
        try await PageScene.run { _, get in
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
        try await PageScene.run { _, get in
            let image = try await get("/posters/20199001", .get, [:])
            #expect(image.status == 200 && image.fields[.contentType] == "image/png")
            #expect(image.fields[.cacheControl]?.hasPrefix("private, max-age=") == true)
            #expect(image.field("X-Robots-Tag") == "noimageindex")
            let unknown = try await get("/posters/99999999", .get, [:])
            #expect(unknown.status == 404)
        }
        try await PageScene.run(["BOXOFFICE_WEB_POSTERS": "off"]) { _, get in
            let image = try await get("/posters/20199001", .get, [:])
            #expect(image.status == 404)
            let page = try await get("/2019-03-15", .get, [:])
            #expect(!page.body.contains("<img") && !page.body.contains("nofollow"))
        }
        try await PageScene.run(["BOXOFFICE_WEB_POSTERS": "link"]) { _, get in
            for target in ["/2019-03-15", "/2019-03-15?view=grid", "/films/20199001"] {
                let page = try await get(target, .get, [:])
                #expect(!page.body.contains("<img") && page.body.contains("rel=\"noreferrer nofollow\""), "\(target)")
            }
        }
    }

    @Test func `every response has the fields that protect its reader`() async throws {
        try await PageScene.run { _, get in
            for target in ["/about", "/nope", "/robots.txt", "/schemas/show.schema.json", "/posters/99999999"] {
                let page = try await get(target, .get, [:])
                let policy = try #require(page.field("Content-Security-Policy"))
                let rules = [
                    "default-src 'none'", "img-src 'self'", "style-src 'self'", "script-src 'self'",
                    "connect-src 'self'",
                    "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
                    "require-trusted-types-for 'script'", "trusted-types boxoffice",
                ]
                #expect(policy == rules.joined(separator: "; "))
                for (name, value) in [
                    ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Opener-Policy", "same-origin"),
                    ("Cross-Origin-Resource-Policy", "same-origin"), ("Referrer-Policy", "same-origin"),
                ] { #expect(page.field(name) == value, "\(target) \(name)") }
            }
            let page = try await get("/about", .get, [.acceptEncoding: "gzip"])
            #expect(page.fields[.contentEncoding] == "gzip")
            let head = try await get("/about", .head, [:])
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    @Test func `an asset has a name of its bytes and is kept for ever`() async throws {
        try await PageScene.run { _, get in
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
