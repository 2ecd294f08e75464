import Domain
import Foundation
import Testing

@testable import PosterResolverCore

@Suite struct PosterChoiceTests {
    private static let film = PosterQuery(title: "등대", year: 2024)

    @Test func `no hit is an answer`() {
        #expect(PosterChoice(among: [], for: Self.film) == nil)
    }

    @Test func `shape comes first, then size, never the order of the search`() throws {
        let choice = try #require(
            PosterChoice(
                among: [hit("banner", 4000, 1000), hit("small", 500, 712), hit("large", 1200, 1716)], for: Self.film))
        #expect(choice.chosen.imageURL == "large")
        #expect(choice.runnersUp.map(\.imageURL) == ["small", "banner"])
        #expect(choice.confidence == .high)
    }

    @Test(
        arguments: [
            (1000, 1199, false), (1000, 1200, true), (1000, 1700, true), (1000, 1701, false), (1000, 1000, false),
        ])
    func `a poster is 1.2 to 1.7 times as high as wide`(width: Int, height: Int, isPosterLike: Bool) throws {
        let choice = try #require(
            PosterChoice(among: [hit("larger square", 5000, 5000), hit("it", width, height)], for: Self.film))
        #expect((choice.confidence == .high) == isPosterLike)
    }

    @Test(arguments: [(280, 399, PosterConfidence.low), (280, 400, .high), (0, 0, .low), (-5, 700, .low)])
    func `few or unknown pixels mean low confidence`(width: Int, height: Int, confidence: PosterConfidence) throws {
        #expect(try #require(PosterChoice(among: [hit("it", width, height)], for: Self.film)).confidence == confidence)
    }

    @Test func `without a poster's shape the nearest shape is chosen`() throws {
        let choice = try #require(
            PosterChoice(
                among: [hit("unknown", 0, 0), hit("banner", 3000, 900), hit("square", 400, 400)], for: Self.film))
        #expect(choice.chosen.imageURL == "square")
        #expect(choice.runnersUp.map(\.imageURL) == ["banner", "unknown"])
        #expect(choice.confidence == .low)
    }

    @Test func `equals keep the order of the search, and a repeated image counts once`() throws {
        let choice = try #require(
            PosterChoice(
                among: [hit("a", 500, 700), hit("b", 500, 700), hit("a", 500, 700), hit("c", 500, 700)], for: Self.film)
        )
        #expect(choice.chosen.imageURL == "a")
        #expect(choice.runnersUp.map(\.imageURL) == ["b", "c"])
    }

    @Test func `at most five runners-up are kept`() throws {
        let choice = try #require(
            PosterChoice(among: (0..<80).map { hit("\($0)", 500 + $0, 700 + $0) }, for: Self.film))
        #expect(choice.chosen.imageURL == "0", "of nearly equals the search's first")
        #expect(choice.runnersUp.map(\.imageURL) == ["1", "2", "3", "4", "5"])
    }

    @Test func `sizes at the limits of integers do not crash`() throws {
        let choice = try #require(PosterChoice(among: [hit("a", .max, .max), hit("b", .min, .min)], for: Self.film))
        #expect(choice.chosen.imageURL == "a")
    }

    @Test func `a poster's JSON is flat and keeps URLs byte for byte`() throws {
        let url = "http://images.example/?f=http%3A%2F%2Fa%2F%EB%93%B1%22.jpg"
        let choice = try #require(PosterChoice(among: [hit(url, 1000, 1430), hit("next", 500, 712)], for: Self.film))
        let poster = choice.poster(query: Poster.query(title: "등대"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = try encoder.encode(poster)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                {"confidence":"high","datetime":null,"height":1430,"imageURL":"\(url)","number":1,"pageURL":"page",\
                "query":"등대 영화 포스터","runnersUp":[{"datetime":null,"height":712,"imageURL":"next","pageURL":"page",\
                "site":"어디","thumbnailURL":null,"width":500}],"site":"어디","thumbnailURL":null,"width":1000}
                """)
        #expect(try JSONDecoder().decode(Poster.self, from: bytes) == poster)
    }

    @Test func `another candidate can be chosen by hand, and none is lost`() throws {
        let choice = try #require(
            PosterChoice(among: [hit("a", 500, 700), hit("b", 500, 700), hit("c", 500, 700)], for: Self.film))
        let poster = choice.poster(query: "q")
        let pinned = try #require(poster.pinned(3))
        #expect(pinned.imageURL == "c" && pinned.confidence == .pinned && pinned.query == "q")
        #expect(pinned.candidates.map(\.imageURL) == ["c", "a", "b"])
        #expect(poster.pinned(1)?.imageURL == "a")
        // The numbers stay the same, so a choice can be repeated and changed.
        #expect(pinned.numberedCandidates == poster.numberedCandidates && pinned.number == 3)
        #expect(pinned.pinned(3) == pinned && pinned.pinned(2)?.imageURL == "b")
        for number in [0, 4, -1, .max, .min] { #expect(poster.pinned(number) == nil) }
    }

    private func hit(_ url: String, _ width: Int, _ height: Int) -> PosterCandidate {
        PosterCandidate(
            imageURL: url, thumbnailURL: nil, width: width, height: height, site: "어디", pageURL: "page", datetime: nil)
    }
}
