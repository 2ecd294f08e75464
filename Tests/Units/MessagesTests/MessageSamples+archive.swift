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
                    charts: [settled, failed, .unknown(first.advanced(by: 2))], next: first.advanced(by: 3), calls: 1)),
        ]
    }
}
