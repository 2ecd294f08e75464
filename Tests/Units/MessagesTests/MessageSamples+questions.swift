import Contracts
import Domain
import Envelope

extension MessageSamples {
    /// Questions about what a range of charts says together.
    static func questions() throws -> [MessageVector] {
        let first = Day(daysSinceEpoch: 18_997)
        let days = first...first.advanced(by: 6)
        let range = ArchiveRange(days, calls: 60)
        let basis = ArchiveBasis(
            .daily, days, charts: 7, known: 5, provisional: 1, missing: days.lowerBound...days.lowerBound,
            source: .upstream, failure: .upstreamTimeout, calls: 2)
        func edge(_ day: Day, audience: Int, total: Int) -> FilmGain.Edge {
            FilmGain.Edge(
                days: day...day, audience: audience, audienceTotal: total, sales: Int64(audience) * 9000,
                salesTotal: Int64(total) * 9000)
        }
        let gain = FilmGain(
            code: "20199882", title: "경관의 피", openingDay: first, in: days,
            first: edge(first, audience: 64_050, total: 64_050),
            last: edge(days.upperBound, audience: 30_000, total: 394_050), eve: nil, charts: 7)
        return [
            try request(
                "the films that gained most are asked for", kind: ArchiveTopRequest.kind,
                ArchiveTopRequest(range, by: .audience, nation: .korean, limit: 30)),
            try reply(
                "the films that gained most", kind: ArchiveTopRequest.kind, sender: "archive/1",
                ArchiveTopReply(basis: basis, films: [gain], total: 12, withoutNation: 3)),
            try request(
                "shares are asked for", kind: ArchiveShareRequest.kind,
                ArchiveShareRequest(range, by: .week, page: first)),
            try reply(
                "shares", kind: ArchiveShareRequest.kind, sender: "archive/1",
                ArchiveShareReply(
                    basis: basis,
                    periods: [
                        AudienceShare(
                            days, knownDays: 5, provisionalDays: 1, korean: 100, foreign: 50, coproduction: 7,
                            unknown: 2)
                    ], next: first.advanced(by: 7), withoutNation: 3)),
            try request(
                "records are asked for", kind: ArchiveRecordsRequest.kind, ArchiveRecordsRequest(range)),
            try reply(
                "records", kind: ArchiveRecordsRequest.kind, sender: "archive/1",
                ArchiveRecordsReply(
                    basis: basis, span: first...first,
                    records: [
                        BoxOfficeRecord(
                            .fastest, milestone: 1_000_000, code: "20199882", title: "경관의 피", days: days, value: 6,
                            isProvisional: true)
                    ])),
            try request("new films are asked for", kind: ArchiveNewRequest.kind, ArchiveNewRequest(range)),
            try reply(
                "new films", kind: ArchiveNewRequest.kind, sender: "archive/1",
                ArchiveNewReply(
                    basis: basis,
                    films: [
                        NewFilm(
                            .release, code: "20199882", title: "경관의 피", openingDay: first, day: first, rank: 1,
                            audience: 64_050, isProvisional: false)
                    ], next: nil)),
            try request(
                "leaders are asked for", kind: ArchiveLeadersRequest.kind, ArchiveLeadersRequest(range)),
            try reply(
                "leaders", kind: ArchiveLeadersRequest.kind, sender: "archive/1",
                ArchiveLeadersReply(
                    basis: basis,
                    days: [
                        ChartLeader(
                            day: first, code: "20199882", title: "경관의 피", audience: 64_050, topAudience: 150_000,
                            isProvisional: true)
                    ],
                    weeks: [WeekLeader(first: first, code: "20199882", title: "경관의 피", audience: 300_000)])),
            try request(
                "films are asked for by a title", kind: ArchiveTitlesRequest.kind, ArchiveTitlesRequest("경관")),
            try reply(
                "films with a title", kind: ArchiveTitlesRequest.kind, sender: "archive/1",
                ArchiveTitlesReply(
                    films: [.init(code: "20199882", title: "경관의 피", titleEnglish: nil, openingDay: first)],
                    isExact: false, total: 1, source: .upstream)),
            try request(
                "films are asked for by a name", kind: ArchivePersonRequest.kind, ArchivePersonRequest("이규만")),
            try reply(
                "films of a person", kind: ArchivePersonRequest.kind, sender: "archive/1",
                ArchivePersonReply(
                    films: [
                        .init(
                            code: "20199882", title: "경관의 피", titleEnglish: "The Policeman's Lineage",
                            opening: "2022-01-05", productionYear: 2021, isDirector: true, isActor: false)
                    ], total: 1, details: 40, source: .upstream)),
        ]
    }
}
