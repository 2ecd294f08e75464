import Contracts
import Domain
import Envelope

extension MessageSamples {
    /// Charts of a range, known and unknown ones.
    static func archive() throws -> [MessageVector] {
        let first = Day(daysSinceEpoch: 18_997)
        let entry = ChartEntry(
            rowNumber: 1, rank: 1, rankChange: 0, presence: .new, code: "20199882", title: "경관의 피",
            openingDay: first, salesAmount: 605_512_440, salesShare: 40.7, salesChange: 605_512_440,
            salesChangePercent: 100, salesTotal: 605_512_440, audience: 64_050, audienceChange: 64_050,
            audienceChangePercent: 100, audienceTotal: 64_050, screens: 1_169, showings: 3_887)
        let settled = ArchivedChart(
            date: first, state: .settled, source: .upstream, firstSeen: 1_641_400_000_000,
            lastSeen: 1_641_450_000_000, failure: nil, entries: [entry])
        let failed = ArchivedChart(
            date: first.advanced(by: 1), state: .failed, source: .upstream, firstSeen: nil, lastSeen: nil,
            failure: .upstreamTimeout, entries: [])
        let days = first...first.advanced(by: 3)
        return [
            try request(
                "charts of a range are asked for", kind: ArchiveChartsRequest.kind,
                ArchiveChartsRequest(.daily, days, calls: 60)),
            try request(
                "charts are asked for as they were known", kind: ArchiveChartsRequest.kind,
                ArchiveChartsRequest(.weekly, days, calls: 0, asOf: 1_641_430_000_000)),
            try reply(
                "charts of a range", kind: ArchiveChartsRequest.kind, sender: "archive/1",
                ArchiveChartsReply(
                    charts: [settled, failed, .unknown(first.advanced(by: 2))], calls: 1)),
            try request(
                "the editions of a chart are asked for", kind: ArchiveEditionsRequest.kind,
                ArchiveEditionsRequest(.daily, first)),
            try reply(
                "the editions of a chart", kind: ArchiveEditionsRequest.kind, sender: "archive/1",
                ArchiveEditionsReply(
                    state: .provisional, source: .upstream, failure: nil,
                    editions: [.init(firstSeen: 1_641_400_000_000, lastSeen: 1_641_410_000_000, entries: [entry])])),
            try request(
                "a film's run is asked for", kind: ArchiveRunRequest.kind,
                ArchiveRunRequest(code: entry.code, openingDay: first, last: first.advanced(by: 3), calls: 60)),
            try reply(
                "a film's run", kind: ArchiveRunRequest.kind, sender: "archive/1",
                ArchiveRunReply(
                    rows: [FilmDay(day: first, isProvisional: true, entry: entry)],
                    days: first...first.advanced(by: 3), unknown: [first.advanced(by: 1)...first.advanced(by: 3)],
                    next: first.advanced(by: 4),
                    source: .upstream, failure: .upstreamTimeout, calls: 3)),
        ]
    }

    /// Orders to fill the archive.
    static func fills() throws -> [MessageVector] {
        let days = Day(daysSinceEpoch: 18_997)...Day(daysSinceEpoch: 19_004)
        let order = ArchiveFillOrder(
            id: 1, chart: .daily, days: days, details: true, rate: 5, state: .quota, charts: 8, missing: 3, films: 12,
            failed: 1, resumesAt: 1_641_481_500_000, failure: .upstreamTimeout)
        let year = ArchiveStatusReply.Year(
            chart: .daily, year: 2022, settled: 4, provisional: 1, empty: 0, failed: 1)
        return [
            try request(
                "missing charts are counted", kind: ArchiveEstimateRequest.kind, ArchiveEstimateRequest(.weekly, days)),
            try reply(
                "a number of missing charts", kind: ArchiveEstimateRequest.kind, sender: "archive/1",
                ArchiveEstimateReply(charts: 2, missing: 1, films: 7)),
            try request(
                "the archive is to be filled", kind: ArchiveFillRequest.kind, ArchiveFillRequest(.daily, days, rate: 5)),
            try reply("an order to fill", kind: ArchiveFillRequest.kind, sender: "archive/1", order),
            try request(
                "an order is paused", kind: ArchiveFillChangeRequest.kind, ArchiveFillChangeRequest(.pause, order: 1)),
            try request(
                "an order's progress is asked for", kind: ArchiveOrderRequest.kind, ArchiveOrderRequest(1)),
            try reply("an order's progress", kind: ArchiveOrderRequest.kind, sender: "archive/1", order),
            try request(
                "the archive's state is asked for", kind: ArchiveStatusRequest.kind),
            try reply(
                "the archive's state", kind: ArchiveStatusRequest.kind, sender: "archive/1",
                ArchiveStatusReply(years: [year], orders: [order], setAside: nil)),
        ]
    }
}
