import AsyncHTTPClient
import Contracts
import Envelope
import FoundationEssentials
import Logging
import MessageBus
import NIOCore
import NIOHTTP1
import NIOPosix
import ProcessKit
import ServiceLifecycle
import TestSupport
import Testing

@testable import WebCore

/// Pages and streams of events from a whole server, over HTTP.
@Suite(.timeLimit(.minutes(2))) struct LiveTests {
    private struct Site: Sendable {
        let base: String
        let client: HTTPClient
        let server: WebServer
        let stop: @Sendable () async -> Void

        func get(_ path: String, _ fields: [(String, String)] = []) async throws -> HTTPClientResponse {
            var request = HTTPClientRequest(url: base + path)
            for (name, value) in fields { request.headers.add(name: name, value: value) }
            return try await client.execute(request, timeout: .seconds(60))
        }

        func refresh(_ path: String) async throws {
            var request = HTTPClientRequest(url: base + path)
            request.method = .POST
            request.headers.add(name: "Sec-Fetch-Site", value: "same-origin")
            _ = try await client.execute(request, timeout: .seconds(60)).body.collect(upTo: 1 << 20)
        }

        /// The server's subscription to the events may still begin; only then it keeps pages.
        func awaitFeed() async throws {
            while try await cacheStatus("/2019-03-15") != "boxoffice; hit" {}
        }

        /// The Cache-Status of a page, after it has been read.
        func cacheStatus(_ path: String) async throws -> String {
            let response = try await get(path)
            _ = try await response.body.collect(upTo: 1 << 20)
            return response.headers.first(name: "Cache-Status") ?? ""
        }
    }

    private func withSite(
        _ settings: [String: String] = [:], stallLimit: Duration = .seconds(30),
        _ body: @escaping @Sendable (StackScene, Site) async throws -> Void
    ) async throws {
        try await StackScene.run(hasArchive: true, from: 1_767_225_600) { stack in
            let (addresses, ready) = AsyncStream.makeStream(of: String.self)
            let server = try WebServer(
                bus: stack.bus, WebConfiguration(Environment(settings.merging(["BOXOFFICE_WEB_PORT": "0"]) { $1 })),
                clock: stack.ahead.clock, logger: Logger(label: "test"), stallLimit: stallLimit
            ) { ready.yield($0) }
            let group = ServiceGroup(
                configuration: .init(services: [.init(service: server)], logger: Logger(label: "test")))
            let stop: @Sendable () async -> Void = { await group.triggerGracefulShutdown() }
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                for await base in addresses {
                    try await body(stack, Site(base: base, client: stack.client, server: server, stop: stop))
                    break
                }
                await stop()
                try await tasks.waitForAll()
            }
        }
    }

    /// Events of a stream as texts, without comments.
    private func read(_ response: HTTPClientResponse, until isLast: (String) -> Bool) async throws -> [String] {
        var text = ""
        for try await piece in response.body {
            text += String(buffer: piece)
            let frames = text.components(separatedBy: "\n\n").dropLast().filter { !$0.hasPrefix(":") }
            if let place = frames.firstIndex(where: isLast) { return Array(frames[...place]) }
        }
        return text.components(separatedBy: "\n\n")
    }

    @Test func `a complete page is kept until one of its parts is stored anew`() async throws {
        try await withSite { _, site in
            #expect(try await site.cacheStatus("/2019-03-15").contains("cache-store; fwd=uri-miss"))
            try await site.awaitFeed()
            let page = try await site.get("/2019-03-15")
            let tag = try #require(page.headers.first(name: "ETag"))
            #expect(page.headers.first(name: "Cache-Control") == "no-cache")
            let same = try await site.get("/2019-03-15", [("If-None-Match", "\"x\", \(tag)")])
            #expect(same.status == .notModified && same.headers.first(name: "ETag") == tag)
            let grid = try await site.cacheStatus("/2019-03-15?view=grid")
            #expect(grid != "boxoffice; hit")
            try await site.refresh("/2019-03-15/refresh")
            while try await site.cacheStatus("/2019-03-15") == "boxoffice; hit" {}
        }
    }

    @Test func `the page of a film is kept until the archive knows another chart of its run`() async throws {
        try await withSite { stack, site in
            let film = "/films/20199001"
            // The first visits fetch the charts that its run lacks; the subscription to the events may still begin.
            while try await site.cacheStatus(film) != "boxoffice; hit" {}
            let tag = try #require(try await site.get(film).headers.first(name: "ETag"))
            #expect(try await site.get(film, [("If-None-Match", tag)]).status == .notModified)
            // Its run is over three weeks after its last row; a chart of the days that follow is of interest, too.
            try await archive("2019-03-30"..."2019-04-15", stack)
            while try await site.cacheStatus(film) == "boxoffice; hit" {}
        }
    }

    @Test func `a page of a search is kept until the result is stored anew`() async throws {
        try await withSite { stack, site in
            try await site.awaitFeed()
            let search = "/search?q=%EA%B8%B0"
            #expect(try await site.cacheStatus(search).hasPrefix("cache-store; fwd=uri-miss"))
            // The event that its result was stored may come after the page.
            while try await site.cacheStatus(search) != "boxoffice; hit" {}
            stack.ahead.advance(40 * 86_400)
            _ = try await site.cacheStatus("/search.json?q=%EA%B8%B0")
            while try await site.cacheStatus(search) == "boxoffice; hit" {}
        }
    }

    @Test func `a page that gives a reason why only stored values are shown is not kept`() async throws {
        try await withSite(["BOXOFFICE_WEB_CALLS": "105"]) { _, site in
            // Of 21 calls the chart takes seven: too few are left for another.
            _ = try await site.cacheStatus("/2019-03-15")
            while try await site.cacheStatus("/calendar/2019-03") != "boxoffice; hit" {}
            for _ in 0..<2 { #expect(try await site.cacheStatus("/2019-03-15").hasPrefix("cache-store; hit")) }
        }
    }

    @Test(arguments: ["Via", "X-Forwarded-For", "Forwarded"])
    func `behind a proxy that is not in the settings nobody counts as a user of this machine`(field: String)
        async throws
    {
        try await withSite(["BOXOFFICE_WEB_CALLS": "300"]) { _, site in
            // An address has 21 calls, of which the first chart takes seven, and the second may need 21.
            let answers = [
                try await site.get("/2019-03-14", [(field, "1.1 proxy")]),
                try await site.get("/2019-03-15", [(field, "1.1 proxy")]), try await site.get("/2019-03-15"),
            ]
            #expect(answers.map(\.status) == [.ok, .serviceUnavailable, .ok])
        }
    }

    @Test func `an open chart hears of a change, and a listener goes on where it was`() async throws {
        try await withSite { stack, site in
            let upstream = UpstreamSwitches(base: stack.upstream)
            let path = "/events?chart=2019-03-15"
            let first = try await upstream.withFault("error503", path: UpstreamSwitches.imagePath) {
                let frames = try await read(try await site.get(path)) { $0.contains("event: chart") }
                return try #require(frames.last?.firstMatch(of: /id: (\S+)/)?.1)
            }
            // The page shows the version that its listener has.
            let page = String(buffer: try await site.get("/2019-03-15").body.collect(upTo: 1 << 20))
            let version = try #require(page.firstMatch(of: /data-version="([0-9a-f]+)"/)?.1)
            let next = try await read(try await site.get("\(path)&after=\(first)")) { $0.contains(version) }
            #expect(next.last?.contains("event: chart") == true)
            let foreign = try await site.get(path, [("Last-Event-ID", "1.1")])
            let gap = try await read(foreign) { $0.contains("event: gap") }
            #expect(gap.last?.contains(#"{"lost":null}"#) == true)
        }
    }

    @Test func `a poster that is pinned is on the pages at once, at another address`() async throws {
        try await withSite { stack, site in
            func image() async throws -> String {
                let page = String(buffer: try await site.get("/films/20199001").body.collect(upTo: 1 << 20))
                return String(try #require(page.firstMatch(of: /src="(\/posters\/20199001\?v=[0-9a-f]+)"/)?.1))
            }
            func ask(_ kind: String, _ payload: some Encodable, _ attachments: [[UInt8]] = []) async throws -> Envelope
            {
                let request = BusRequest(
                    service: ServiceName.cacheStore, kind: kind, trace: .root(), payload: try JSONBytes.encode(payload),
                    attachments: attachments)
                return try await stack.bus.request(request, deadline: .now + .seconds(5)).envelope
            }
            // A page is kept when the film's run is known.
            _ = try await site.cacheStatus("/2019-03-15")
            while try await site.cacheStatus("/calendar/2019-03") != "boxoffice; hit" {}
            let before = try await image()
            let key = PosterRequest.cacheKey(code: "20199001")
            let found = try #require(
                try await ask(CachePeekRequest.kind, CachePeekRequest(keys: [key])).attachments.first)
            let pinned = String(decoding: found, as: UTF8.self).replacing(
                /"imageURL":"[^"]+"/, with: "\"imageURL\":\"https://example.org/pinned.png\"", maxReplacements: 1)
            _ = try await ask(CachePinRequest.kind, CachePinRequest(key: key, source: .upstream), [Array(pinned.utf8)])
            while try await image() == before {}
        }
    }

    @Test func `the only listener of events misses none while it connects again`() async throws {
        try await withSite { stack, site in
            try await site.awaitFeed()
            let first = try await site.get("/events?kind=bench.*")
            while site.server.openStreams < 1 { _ = try await site.get("/healthz") }
            try await publish(1, stack.bus)
            let seen = try await read(first) { $0.contains("bench.") }
            let id = try #require(seen.last?.firstMatch(of: /id: (\S+)/)?.1)
            while site.server.openStreams > 0 { _ = try await site.get("/healthz") }
            try await publish(3, stack.bus)
            let arrived = try await countEvents(try await site.get("/events?kind=bench.*&after=\(id)"), upTo: 3)
            #expect(arrived == 3)
        }
    }

    @Test func `the events of the stack are filtered`() async throws {
        try await withSite { stack, site in
            let response = try await site.get("/events?kind=movie.*&service=detail-fetcher")
            var iterator = response.body.makeAsyncIterator()
            // The first piece says that the stream is open.
            _ = try await iterator.next()
            _ = try await site.cacheStatus("/2019-03-15")
            let text = String(buffer: try #require(try await iterator.next()))
            #expect(text.contains("\"kind\":\"movie.detail.answered\"") && !text.contains("chart.daily"))
        }
    }

    @Test func `a listener that does not read is cut off, and the others get everything`() async throws {
        try await withSite(stallLimit: .seconds(1)) { stack, site in
            let stuck = try await openWithoutReading(site)
            let response = try await site.get("/events?kind=bench.*")
            while site.server.openStreams < 2 { _ = try await site.get("/healthz") }
            // More than fits into the buffers of a connection.
            let count = 500
            async let events = countEvents(response, upTo: count)
            try await publish(count, stack.bus)
            let arrived = try await events
            #expect(arrived == count)
            // The reader has left; the other one is cut off.
            while site.server.openStreams > 0 { _ = try await site.get("/healthz") }
            try await stuck.close()
        }
    }

    @Test func `a listener that does not read does not hold up a shutdown`() async throws {
        try await withSite { stack, site in
            _ = try await openWithoutReading(site)
            while site.server.openStreams < 1 { _ = try await site.get("/healthz") }
            try await publish(500, stack.bus)
        }
    }

    /// The numbered events of a stream, until all have arrived or some are lost.
    private func countEvents(_ response: HTTPClientResponse, upTo count: Int) async throws -> Int {
        var (arrived, rest) = (0, "")
        for try await piece in response.body {
            let frames = (rest + String(buffer: piece)).components(separatedBy: "\n\n")
            rest = frames.last ?? ""
            arrived += frames.dropLast().count { $0.contains("bench.numbered") }
            if arrived == count || frames.contains(where: { $0.contains("event: gap") }) { break }
        }
        return arrived
    }

    private func openWithoutReading(_ site: Site) async throws -> any Channel {
        let port = try #require(HTTPClient.Request(url: site.base).url.port)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_rcvbuf), value: 4096)
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        return channel
    }

    /// Publishes events of 1 KB, not faster than the broker takes them.
    private func publish(_ count: Int, _ bus: MessageBus) async throws {
        let text = String(repeating: "x", count: 1_000)
        for number in 1...count {
            bus.publish(
                Event(
                    at: 1, kind: "bench.numbered", source: "test/1",
                    attributes: ["text": .text(text), "number": .number(number)]))
            if number.isMultiple(of: 20) { try await bus.ping(deadline: .now + .seconds(10)) }
        }
    }

    @Test func `a shutdown ends the streams, and says when to come back`() async throws {
        try await withSite { _, site in
            let response = try await site.get("/events?chart=2019-03-15")
            var iterator = response.body.makeAsyncIterator()
            _ = try await iterator.next()
            await site.stop()
            var text = ""
            while let piece = try await iterator.next() { text += String(buffer: piece) }
            #expect(text.hasSuffix("retry: 1000\n\n"))
        }
    }
}
