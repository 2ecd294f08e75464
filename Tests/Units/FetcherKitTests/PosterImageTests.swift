import Contracts
import Domain
import Envelope
import Foundation
import FoundationXML
import Localization
import MessageBus
import TestSupport
import Testing

/// Poster images through broker, cache and poster-resolver, from the HTTP server of the demo.
@Suite(.timeLimit(.minutes(1))) struct PosterImageTests {
    /// The demo draws an image by its name; the sizes are those of the drawings.
    private func poster(_ stack: StackScene, sizes: [(Int, Int)] = [(600, 857), (480, 686)]) throws -> Poster {
        let hits = sizes.enumerated().map { index, size in
            PosterCandidate(
                imageURL: "\(stack.upstream)/posters/film/\(index + 1)-\(size.0)x\(size.1).png",
                thumbnailURL: "\(stack.upstream)/posters/film/\(index + 1)-thumb.png", width: size.0, height: size.1,
                site: "데모", pageURL: "\(stack.upstream)/films/film", datetime: nil)
        }
        return Poster(
            chosen: try #require(hits.first), runnersUp: Array(hits.dropFirst()), confidence: .high, query: "film")
    }

    private func description(_ answer: Envelope) throws -> PosterImage {
        try JSONBytes.decode(PosterImage.self, from: answer.payload)
    }

    @Test func `the chosen image is answered unchanged, and fetched once`() async throws {
        try await StackScene.run { stack in
            let poster = try poster(stack)
            let first = try await stack.image(of: poster)
            #expect(first.header.status == .ok && first.header.cache?.stored == true)
            #expect(first.header.timing?.upstreamCalls == 1)
            #expect(try await first.attachments == [stack.bytes(poster.imageURL)])
            let expected = PosterImage(
                source: .candidate, number: 1, url: poster.imageURL, site: "데모",
                pageURL: "\(stack.upstream)/films/film",
                mediaType: "image/png", width: 600, height: 857, missed: [])
            #expect(try description(first) == expected)

            let second = try await stack.image(of: poster)
            #expect(second.header.cache?.hit == true && (second.header.cache?.ttl ?? 0) > 6 * 86_400)
            #expect(second.payload == first.payload && second.attachments == first.attachments)
            #expect(try await stack.calls("/posters/film/1-600") == 2, "one of them the test's own")
        }
    }

    @Test func `many concurrent requests cause one call`() async throws {
        try await StackScene.run { stack in
            let poster = try poster(stack)
            let answers = try await withThrowingTaskGroup(of: Envelope.self) { group in
                for _ in 0..<20 { group.addTask { try await stack.image(of: poster) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers.map(\.attachments)).count == 1 && answers.allSatisfy { $0.header.status == .ok })
            #expect(try await stack.calls("/posters/") == 1)
        }
    }

    @Test(
        arguments: [
            ("key", "upstream_http", 403), ("error500", "upstream_http", 500), ("html", "image_format", nil),
            ("empty", "image_format", nil), ("not-json", "image_format", nil),
            ("huge", "upstream_malformed", nil), ("vast-image", "image_too_large", nil),
            ("redirect", "upstream_http", nil), ("misdirected", "address_refused", nil),
            ("truncated", "upstream_unreachable", nil), ("closed", "upstream_unreachable", nil),
            ("slow", "upstream_timeout", nil),
        ] as [(String, String, Int?)])
    func `an address that fails gives way to the next candidate`(fault: String, code: String, status: Int?) async throws
    {
        try await StackScene.run { stack in
            let poster = try poster(stack)
            try await stack.setUpstreamFault(fault, path: "film/1-600")
            let answer = try await stack.image(of: poster)
            let found = try description(answer)
            #expect(found.source == .candidate && found.number == 2 && found.url == poster.runnersUp.first?.imageURL)
            #expect(found.width == 480 && found.height == 686)
            #expect(found.missed == [PosterImage.Miss(url: poster.imageURL, code: code, httpStatus: status)])
            // The better image may be available again soon.
            #expect((answer.header.cache?.ttl ?? .max) <= 3600)
            try await stack.setUpstreamFault("none")
            stack.ahead.advance(3601)
            #expect(try await description(stack.image(of: poster)).number == 1)
        }
    }

    @Test func `without an image of any candidate the answer is the thumbnail of the search`() async throws {
        try await StackScene.run { stack in
            let poster = try poster(stack)
            try await stack.setUpstreamFault("key", path: "x")
            let wide = try await stack.image(of: poster, isRefresh: true)
            #expect(try description(wide).missed.count == 2)
            #expect(try description(wide).source == .thumbnail && description(wide).number == 1)
            #expect(try description(wide).width == 130 && description(wide).height == 130)
        }
    }

    @Test func `without any image the answer is a drawing, and the failure is remembered`() async throws {
        try await StackScene.run { stack in
            let poster = try poster(stack)
            try await stack.setUpstreamFault("key", path: "posters")
            let answer = try await stack.image(of: poster)
            #expect(answer.header.status == .failed && answer.header.failure?.code == .noImage)
            let message = try #require(answer.header.failure?.message)
            #expect(message.en.hasSuffix(": tried 4 of 4 addresses (HTTP 403)."))
            #expect(
                message.ko.contains("주소 4곳 가운데 4곳을 시도했습니다(HTTP 403).") && answer.header.failure?.isRetryable == false)
            let found = try description(answer)
            #expect(found.source == .placeholder && found.mediaType == "image/svg+xml" && found.url == nil)
            let texts = try texts(ofSVG: #require(answer.attachments.first))
            #expect(texts.joined().hasPrefix("경관의 <피> & \"눈물\""))
            #expect(texts.suffix(2) == ["포스터를 받지 못했습니다", "The poster could not be fetched"])

            let calls = try await stack.calls("/posters/")
            let again = try await stack.image(of: poster)
            #expect(again.payload == answer.payload && again.attachments == answer.attachments)
            #expect(again.header.failure == answer.header.failure && again.header.cache?.hit == true)
            #expect(try await stack.calls("/posters/") == calls)
            try await stack.setUpstreamFault("none")
            #expect(try await stack.image(of: poster, isRefresh: true).header.status == .ok)
        }
    }

    @Test func `a temporary failure is not remembered`() async throws {
        try await StackScene.run { stack in
            let poster = try poster(stack)
            try await stack.setUpstreamFault("error503", path: "posters")
            let answer = try await stack.image(of: poster)
            #expect(answer.header.failure?.code == .imageUnreachable && answer.header.failure?.isRetryable == true)
            #expect(try description(answer).source == .placeholder)
            try await stack.setUpstreamFault("none")
            #expect(try await stack.image(of: poster).header.status == .ok)
        }
    }

    @Test func `images without time left are reported as a retryable failure`() async throws {
        try await StackScene.run { stack in
            let poster = try poster(stack, sizes: [(600, 857), (480, 686), (400, 572), (360, 514)])
            try await stack.setUpstreamFault("slow", path: "posters")
            let answer = try await stack.image(of: poster)
            let message = try #require(answer.header.failure?.message.en)
            #expect(
                message.contains(/tried [2-4] of 8 addresses \(timed out\)\./),
                "\(message)")
            #expect(answer.header.failure?.isRetryable == true)
        }
    }

    @Test func `a host that does not answer is not called for a while`() async throws {
        try await StackScene.run { stack in
            let poster = try poster(stack)
            try await stack.setUpstreamFault("error503", path: "posters")
            // Ten consecutive failures, over more than a blip.
            var message = ""
            while !message.contains("paused for now") {
                message = try await stack.image(of: poster).header.failure?.message.en ?? ""
            }
            let stats = try await stack.stats(ServiceName.posterResolver)
            let host = stack.upstream.dropFirst("http://".count)
            #expect(stats.upstreams?.contains { $0.host == host && $0.state == .open } == true, "\(stats)")
            // The search on the same host has its own breaker.
            try await stack.setUpstreamFault("none")
            #expect(try await stack.poster("밀수").header.failure?.code != .upstreamUnavailable)
        }
    }

    @Test func `two posters with the same image do not share the substitute image`() async throws {
        try await StackScene.run { stack in
            let (one, other) = (try poster(stack), try poster(stack, sizes: [(600, 857), (400, 572)]))
            #expect(one.imageURL == other.imageURL)
            try await stack.setUpstreamFault("key", path: "film/1-600")
            #expect(try await description(stack.image(of: one)).width == 480)
            #expect(try await description(stack.image(of: other)).width == 400)
        }
    }

    @Test func `too many concurrent images are refused as overload`() async throws {
        try await StackScene.run { stack in
            try await stack.setUpstreamFault("slow", path: "posters")
            let codes = try await withThrowingTaskGroup(of: FailureCode?.self) { group in
                for number in 0..<20 {
                    let poster = try poster(stack, sizes: [(600 + number, 857)])
                    group.addTask { try await stack.image(of: poster).header.failure?.code }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count { $0 == .overloaded } == 4 && codes.count { $0 == .imageUnreachable } == 16)
        }
    }

    @Test func `a stale image is answered with its own description`() async throws {
        try await StackScene.run { stack in
            let poster = try poster(stack)
            let fresh = try await stack.image(of: poster)
            stack.ahead.advance(8 * 86_400)
            try await stack.setUpstreamFault("error503", path: "posters")
            let old = try await stack.image(of: poster)
            #expect(old.header.status == .stale && old.header.failure?.code == .imageUnreachable)
            #expect(old.payload == fresh.payload && old.attachments == fresh.attachments)
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:1/a.png", "http://localhost/a.png", "http://169.254.169.254/latest/meta-data",
        "http://[::1]/a",
        "http://8.8.8.8:99999/a.jpg", "http://images.invalid:99999/a.jpg", "file:///etc/passwd",
        "http+unix://%2Frun%2Fx/a", "gopher://10.0.0.1/", "", "포스터",
    ])
    func `an address outside the public internet is not called`(url: String) async throws {
        try await StackScene.run { stack in
            let hit = PosterCandidate(
                imageURL: url, thumbnailURL: nil, width: 600, height: 857, site: nil, pageURL: "", datetime: nil)
            let answer = try await stack.image(of: Poster(chosen: hit, runnersUp: [], confidence: .high, query: "film"))
            #expect(answer.header.failure?.code == .noImage && answer.header.failure?.isRetryable == false)
            #expect(answer.header.failure?.message.en.contains(/not of the public internet|no valid address/) == true)
        }
    }

    @Test(arguments: [(31, 400, false), (400, 31, false), (32, 32, true)])
    func `a tracking pixel is no poster`(width: Int, height: Int, isImage: Bool) async throws {
        try await StackScene.run { stack in
            let poster = try poster(stack, sizes: [(width, height)])
            try await stack.setUpstreamFault("key", path: "thumb")
            let answer = try await stack.image(of: poster)
            #expect((answer.header.status == .ok) == isImage)
        }
    }

    /// The texts of a well-formed document.
    private func texts(ofSVG bytes: [UInt8]) throws -> [String] {
        final class Reader: NSObject, XMLParserDelegate {
            var texts: [String] = []
            var isInText = false

            func parser(
                _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
                attributes: [String: String]
            ) {
                isInText = name == "text"
                if isInText { texts.append("") }
            }

            func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
                isInText = false
            }

            func parser(_ parser: XMLParser, foundCharacters text: String) {
                if isInText { texts[texts.count - 1] += text }
            }
        }

        let parser = XMLParser(data: Data(bytes))
        let reader = Reader()
        parser.delegate = reader
        #expect(parser.parse(), "\(String(decoding: bytes, as: UTF8.self))")
        return reader.texts
    }
}
