import ArchiveMachine
import Domain
import TestSupport
import Testing

@Suite("What the archive knows of a chart")
struct ChartRecordTests {
    private let evening: Int64 = 1_000
    private let settled: Int64 = 2_000
    private let one = [ChartEntry.archived(audience: 10)]
    private let other = [ChartEntry.archived(audience: 12)]

    private func record(_ sights: (content: ChartRecord.Sight.Content, at: Int64)..., now: Int64 = 9_000) -> (
        record: ChartRecord, changes: [ChartRecord.Change]
    ) {
        var record = ChartRecord()
        let changes = sights.map {
            record.record(ChartRecord.Sight($0.content, fetchedAt: $0.at), settledFrom: settled, now: now)
        }
        return (record, changes)
    }

    @Test("The same rows, seen after the chart was settled, settle it")
    func lastSight() {
        let (record, changes) = record((.entries(one), evening), (.entries(one), settled))
        #expect(changes == [.newEdition, .seenAgain])
        #expect(record.state(settledFrom: settled) == .settled)
        #expect(record.edition == ChartRecord.Edition(entries: one, firstSeen: evening, lastSeen: settled))
    }

    @Test("A chart that was seen on its evening only is provisional")
    func provisional() {
        #expect(record((.entries(one), settled - 1)).record.state(settledFrom: settled) == .provisional)
    }

    @Test("Corrected rows are a new edition")
    func correction() {
        let (record, changes) = record((.entries(one), evening), (.entries(other), settled))
        #expect(changes == [.newEdition, .newEdition])
        #expect(record.edition == ChartRecord.Edition(entries: other, firstSeen: settled, lastSeen: settled))
    }

    @Test("An answer that arrives after a later one is kept as a past edition, and changes no state")
    func late() {
        let (record, changes) = record((.entries(other), settled), (.entries(one), evening))
        #expect(
            changes == [
                .newEdition, .pastEdition(ChartRecord.Edition(entries: one, firstSeen: evening, lastSeen: evening)),
            ])
        #expect(record.edition?.entries == other)
        #expect(record.state(settledFrom: settled) == .settled)
    }

    @Test(
        "A fetch time in the future settles nothing, and a later true sight does", arguments: [1_500, 2_500] as [Int64])
    func future(now: Int64) {
        var (record, _) = record((.entries(one), 1 << 60), now: now)
        #expect(record.state(settledFrom: settled) == .provisional)
        _ = record.record(ChartRecord.Sight(.entries(one), fetchedAt: settled), settledFrom: settled, now: 3_000)
        #expect(record.state(settledFrom: settled) == .settled)
    }

    @Test("A day that was never asked is no day without films, and a failed fetch takes nothing away")
    func states() {
        let failure = ChartRecord.Sight.Content.failure(code: "upstream_timeout")
        #expect(ChartRecord().state(settledFrom: settled) == .unknown)
        #expect(record((failure, evening)).record.state(settledFrom: settled) == .failed)
        #expect(
            record((.failure(code: "not_published"), evening)).record.state(settledFrom: settled) == .notPublished)
        #expect(record((.entries([]), settled)).record.state(settledFrom: settled) == .empty)
        #expect(record((.entries(one), settled), (failure, 5_000)).record.state(settledFrom: settled) == .settled)
    }
}
