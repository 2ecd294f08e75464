import Contracts
import Domain
import Envelope

extension MessageSamples {
    private static let day = Day(daysSinceEpoch: 18_997)

    /// The gateway's requests to the fetchers, and their answers.
    static func parts() throws -> [MessageVector] {
        let fetched = CacheStatus(hit: false, fwd: .uriMiss, stored: true, ttl: 600, age: 0)
        let upstream = RequestTiming(
            workMicroseconds: 103_200, upstreamMicroseconds: 101_900, upstreamCalls: 2,
            upstreamOutcomes: ["500", "200"])
        return [
            try request(
                "a chart is asked for", kind: ChartRequest.dailyKind, ChartRequest(.daily(day), isRefresh: false)),
            try request("a week's chart is asked for", kind: ChartRequest.weeklyKind, week(.weekly)),
            try request("a weekend's chart is asked for", kind: ChartRequest.weekendKind, week(.weekend)),
            try request(
                "a part of the chart of some weekdays is asked for, fresh from the upstream",
                kind: ChartRequest.weekdaysKind,
                ChartRequest(
                    ChartSelection(
                        .weekdays, around: day,
                        filter: ChartFilter(region: .seoul, nation: .korean, diversity: .diverse)),
                    isRefresh: true)),
            try request(
                "a film is asked for, fresh from the upstream", kind: DetailRequest.kind,
                DetailRequest(code: "2023C632", isRefresh: true)),
            try request(
                "a film is searched for by its title", kind: FilmSearchRequest.kind,
                FilmSearchRequest(FilmSearch(title: "등대"), isRefresh: false)),
            try request(
                "a film is searched for by all there is", kind: FilmSearchRequest.kind,
                FilmSearchRequest(
                    FilmSearch(
                        title: "a/b", director: "이규만", productionYears: 2019...2020, openingYears: 2021...2021, page: 2,
                        pageSize: 20, includesAdultFilms: true), isRefresh: true)),
            try request(
                "a poster is asked for", kind: PosterRequest.kind,
                PosterRequest(code: "20199882", title: "경관의 \"피\"", year: 2022, isRefresh: false)),
            try request(
                "a poster is asked for by title alone", kind: PosterRequest.kind,
                PosterRequest(code: nil, title: "a/b", year: nil, isRefresh: false)),
            try reply(
                "a chart", kind: ChartRequest.dailyKind, sender: "chart-fetcher/1", cache: fetched, timing: upstream,
                Chart(.daily(day), entries: [entry(.new, opening: Day(daysSinceEpoch: 18_000)), entry(.old)])),
            try reply(
                "a chart without rows", kind: ChartRequest.dailyKind, sender: "chart-fetcher/1",
                cache: CacheStatus(hit: true, ttl: 540, age: 60), Chart(.daily(day), entries: [])),
            try reply(
                "a region's chart of a weekend", kind: ChartRequest.weekendKind, sender: "chart-fetcher/1",
                cache: fetched,
                Chart(ChartSelection(.weekend, around: day, filter: ChartFilter(region: .jeju)), entries: [entry(.old)])
            ),
            try reply(
                "a film with everything", kind: DetailRequest.kind, sender: "detail-fetcher/2",
                cache: CacheStatus(hit: false, fwd: .bypass, collapsed: true, stored: false, ttl: 86_400, age: 0), film),
            try reply(
                "a film of which little is known", kind: DetailRequest.kind, sender: "detail-fetcher/2",
                cache: CacheStatus(hit: false, fwd: .uriMiss, detail: "uncached: cache-store is unavailable"),
                FilmDetail(code: "20199882", title: "경관의 피")),
            try reply(
                "a page of films", kind: FilmSearchRequest.kind, sender: "detail-fetcher/2", cache: fetched,
                timing: upstream,
                FilmPage(
                    total: 3,
                    films: [
                        FilmSummary(
                            code: "20199882", title: "경관의 피", titleEnglish: "The Policeman's Lineage",
                            productionYear: 2021, openingDay: day, type: "장편", status: "개봉", nations: ["한국"],
                            genres: ["범죄"], directors: [Person(name: "이규만", nameEnglish: nil)],
                            companies: ["(주)리양필름"]), FilmSummary(code: "2023C632", title: "등대"),
                    ])),
            try reply(
                "a page without films", kind: FilmSearchRequest.kind, sender: "detail-fetcher/2",
                FilmPage(total: 0, films: [])),
            try reply(
                "a poster with runners-up", kind: PosterRequest.kind, sender: "poster-resolver/1", cache: fetched,
                poster(sizes: [(700, 1000), (480, 640), (0, 0)])),
            try reply(
                "a poster of low confidence", kind: PosterRequest.kind, sender: "poster-resolver/1",
                poster(sizes: [(100, 100)])),
        ]
    }

    private static func week(_ kind: ChartKind) -> ChartRequest {
        ChartRequest(ChartSelection(kind, around: day), isRefresh: false)
    }

    private static func entry(_ presence: ChartPresence, opening: Day? = nil) -> ChartEntry {
        ChartEntry(
            rowNumber: 1, rank: 1, rankChange: -2, presence: presence, code: "20199882", title: "경관의 피",
            openingDay: opening, salesAmount: 123_456_789_012, salesShare: 34.2, salesChange: -5,
            salesChangePercent: 122_279.3, salesTotal: 223_456_789_012, audience: 3, audienceChange: -4,
            audienceChangePercent: -15.3, audienceTotal: 9, screens: 7, showings: 8)
    }

    private static let film = FilmDetail(
        code: "20199882", title: "경관의 피", titleEnglish: "The Policeman's Lineage", titleOriginal: "경관의 피",
        runningMinutes: 119, productionYear: 2021, openingDay: day, status: "개봉", type: "장편", nations: ["한국"],
        genres: ["범죄", "드라마"], directors: [Person(name: "이규만", nameEnglish: "LEE Kyu-man")],
        actors: [
            CastMember(name: "조진웅", nameEnglish: "CHO Jin-woong", role: "박강윤"),
            CastMember(name: "최우식", nameEnglish: nil, role: nil),
        ], showTypes: ["2D 디지털"], companies: [Company(name: "(주)리양필름", part: "제작사")],
        ratings: [Rating(number: "2021-MF03006", grade: "15세이상관람가"), Rating(number: nil, grade: "")])

    static func poster(sizes: [(Int, Int)]) throws -> Poster {
        let hits = sizes.enumerated().map { number, size in
            PosterCandidate(
                imageURL: "http://image.example/\(number).jpg?q=%ED%94%BC", thumbnailURL: "http://t.example/\(number)",
                width: size.0, height: size.1, site: number == 0 ? "네이버블로그" : nil,
                pageURL: "http://page.example/\(number)",
                datetime: number == 0 ? "2023-06-10T12:36:51.000+09:00" : nil)
        }
        guard let chosen = hits.first else { throw Failure.malformedEnvelope("no hits") }
        return Poster(
            chosen: chosen, runnersUp: Array(hits.dropFirst()), confidence: chosen.height >= 400 ? .high : .low,
            query: Poster.query(title: "경관의 피"))
    }
}
