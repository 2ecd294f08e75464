import Domain
import Testing

@testable import PosterResolverCore

@Suite struct PosterScoreTests {
    private static let film = PosterQuery(title: "달빛 정류장: 마지막 버스", year: 2024)

    /// For hits of every shape and size, an improvement of one property never lowers the score.
    @Test func `a shape nearer to a poster's is never worse`() {
        for height in stride(from: 100, through: 4_000, by: 10) {
            let (narrow, wide) = (score(hit(1000, height)), score(hit(1000, height + 10)))
            if Double(height + 10) / 1000 <= 1.38 { #expect(wide.shape >= narrow.shape) }
            if Double(height) / 1000 >= 1.52 { #expect(wide.shape <= narrow.shape) }
        }
    }

    @Test func `a larger image of the same shape is never worse`() {
        for scale in 1...300 {
            #expect(score(hit(10 * (scale + 1), 14 * (scale + 1))).value >= score(hit(10 * scale, 14 * scale)).value)
        }
    }

    @Test func `an earlier place is never worse`() {
        for place in 0..<100 {
            #expect(score(hit(700, 1000), place: place).value >= score(hit(700, 1000), place: place + 1).value)
        }
    }

    @Test(arguments: [
        ("http://a/x.jpg", 0.0), ("http://a/%EB%8B%AC%EB%B9%9B.jpg", 0.25), ("http://a/달빛+정류장.jpg", 0.5),
        ("http://a/\u{1103}\u{1161}\u{11AF}\u{1107}\u{1175}\u{11BE}-버스.jpg", 0.5),
        ("http://a/달빛 정류장 마지막 버스.jpg", 1), ("http://a/%EB%8B%", 0),
    ])
    func `words of the title are found in the address in any encoding`(url: String, part: Double) {
        #expect(score(hit(700, 1000, url: url)).title == part)
        #expect(score(hit(700, 1000, page: url)).title == part)
    }

    @Test(
        arguments: [
            ("2024-03-06T12:36:51.000+09:00", 1.0), ("2023-12-31T00:00:00.000+09:00", 1), ("2026-01-01", 1),
            ("2027-01-01", 0.5), ("2011-01-01", 0), ("soon", 0), (nil, 0),
        ] as [(String?, Double)])
    func `a page from the time of the film counts, an older one does not`(datetime: String?, part: Double) {
        #expect(score(hit(700, 1000, datetime: datetime)).year == part)
    }

    @Test func `a year in the address counts, and a film may have no year`() {
        #expect(score(hit(700, 1000, url: "http://a/2024/x.jpg", datetime: "2011-01-01")).year == 1)
        let undated = PosterQuery(title: "등대", year: nil)
        #expect(PosterScore(hit(700, 1000, datetime: "2024-01-01"), for: undated, place: 0).year == 0)
    }

    @Test(
        arguments: [("씨네21", 1.0), ("네이버영화", 1), ("Watcha Pedia", 1), ("네이버블로그", 0), ("", 0), (nil, 0)]
            as [(String?, Double)])
    func `a site about films counts`(site: String?, part: Double) {
        #expect(score(hit(700, 1000, site: site)).site == part)
    }

    @Test func `no other property compensates for the wrong shape`() throws {
        let banner = hit(4000, 1000, url: "http://a/2024/달빛 정류장 마지막 버스.jpg", site: "씨네21", datetime: "2024-03-06")
        let plain = hit(300, 420, url: "http://b/1.jpg")
        let choice = try #require(PosterChoice(among: [banner, plain], for: Self.film))
        #expect(choice.chosen == plain && choice.confidence == .high)
    }

    @Test func `of two posters the one about the film is chosen`() throws {
        let about = hit(700, 1000, url: "http://a/2024/달빛 정류장 마지막 버스.jpg", datetime: "2024-03-06")
        let other = hit(800, 1150, url: "http://b/1.jpg", datetime: "2011-01-01")
        #expect(try #require(PosterChoice(among: [other, about], for: Self.film)).chosen == about)
    }

    @Test func `every score is from 0 to 1 for any search result`() {
        for (width, height) in [(0, 0), (-1, 5), (1, .max), (.max, 1), (.max, .max), (.min, .min)] {
            let score = score(hit(width, height))
            for part in [score.value, score.shape, score.size, score.title, score.year, score.site, score.place] {
                #expect((0...1).contains(part))
            }
        }
        let best = hit(1400, 2000, url: "http://a/2024/달빛 정류장 마지막 버스.jpg", site: "영화", datetime: "2024-03-06")
        #expect(abs(score(best).value - 1) < 0.000_001)
    }

    private func score(_ candidate: PosterCandidate, place: Int = 0) -> PosterScore {
        PosterScore(candidate, for: Self.film, place: place)
    }

    private func hit(
        _ width: Int, _ height: Int, url: String = "http://a/x.jpg", page: String = "http://p/", site: String? = nil,
        datetime: String? = nil
    ) -> PosterCandidate {
        PosterCandidate(
            imageURL: url, thumbnailURL: nil, width: width, height: height, site: site, pageURL: page,
            datetime: datetime)
    }
}
