public import Assembly
public import Domain
public import Envelope
import Foundation
import Localization

/// Invented parts of an answer.
public enum Samples {
    /// 2022-01-05, long settled at `now`.
    public static let date = Day(daysSinceEpoch: 18_997)
    /// 2026-11-20T15:30Z, half an hour after midnight in Seoul.
    public static let now = 1_795_188_600.0

    public static func entry(
        _ rank: Int, _ title: String, change: Int = 0, presence: ChartPresence = .old, audience: Int = 64_050,
        total: Int = 6_012_345, code: String = "20199882"
    ) -> ChartEntry {
        ChartEntry(
            rowNumber: rank, rank: rank, rankChange: change, presence: presence, code: code, title: title,
            openingDay: date, salesAmount: 0, salesShare: 0, salesChange: 0, salesChangePercent: 0, salesTotal: 0,
            audience: audience, audienceChange: 0, audienceChangePercent: 0, audienceTotal: total, screens: 0,
            showings: 0)
    }

    public static func chart(_ titles: String...) throws -> [UInt8] {
        let entries = titles.enumerated().map { entry($0.offset + 1, $0.element, code: "2019988\($0.offset)") }
        return try JSONBytes.encode(Chart(.daily(date), entries: entries))
    }

    public static let film = FilmDetail(
        code: "20199882", title: "경관의 피", runningMinutes: 119, productionYear: 2021, openingDay: date,
        nations: ["한국", "미국"], genres: ["범죄", "드라마"],
        directors: [Person(name: "이규만", nameEnglish: nil), Person(name: "김감독", nameEnglish: "KIM")],
        actors: [
            CastMember(name: "조진웅", nameEnglish: nil, role: "박강윤"),
            CastMember(name: "최우식", nameEnglish: nil, role: nil),
        ],
        ratings: [Rating(number: "1", grade: "18세관람가"), Rating(number: "2", grade: "15세이상관람가")])

    public static func poster(site: String? = "네이버블로그", confident: Bool = true) throws -> [UInt8] {
        let candidate = PosterCandidate(
            imageURL: "http://image.example/1.jpg", thumbnailURL: nil, width: confident ? 700 : 100,
            height: confident ? 1000 : 100, site: site, pageURL: "http://page.example/1", datetime: nil)
        return try JSONBytes.encode(
            Poster(
                chosen: candidate, runnersUp: [], confidence: confident ? .high : .low,
                query: Poster.query(title: "경관의 피")))
    }

    public static let timeout = Failure(
        .timeout, LocalizedText(ko: "시간 초과입니다.", en: "It timed out."), isRetryable: true)

    public static func ok(_ value: [UInt8]) -> PartOutcome { .fresh(value, cache: nil, sender: nil) }
    public static func okFilm() throws -> PartOutcome { ok(try JSONBytes.encode(film)) }
}

/// JSON as Foundation reads it, to check ours with an independent decoder.
public func object(_ bytes: some Sequence<UInt8>) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(bytes))
    guard let object = value as? [String: Any] else { throw CocoaError(.coderReadCorrupt) }
    return object
}
