import Envelope
import EventLog
import Testing

@Suite struct EventSelectionTests {
    private let events = [
        Samples.queued(1, at: 1), Samples.dispatched(1, at: 2), Samples.workerAnswer(1, at: 3),
        Samples.answered(1, at: 4, took: 3),
        Event(at: 5, kind: "query.answered", source: "gateway/4711", query: Samples.query),
        Event(at: 6, kind: "broker.worker_left", source: "broker/1", attributes: ["instance": "detail-fetcher/21"]),
    ]

    private func kinds(_ change: (inout EventSelection) -> Void) -> [String] {
        var selection = EventSelection()
        change(&selection)
        return events.filter(selection.contains).map(\.kind)
    }

    @Test func `an empty selection excludes nothing`() {
        #expect(kinds { _ in }.count == events.count)
    }

    @Test func `a service selects events from it and about it`() {
        let all = [
            "broker.queued", "broker.dispatched", "movie.detail.answered", "broker.answered", "broker.worker_left",
        ]
        #expect(kinds { $0.services = ["detail-fetcher"] } == all)
        #expect(
            kinds { $0.services = ["detail-fetcher/2"] } == [
                "broker.dispatched", "movie.detail.answered", "broker.answered",
            ])
        #expect(kinds { $0.services = ["detail"] }.isEmpty)
        #expect(kinds { $0.services = ["gateway", "detail-fetcher/21"] } == ["query.answered", "broker.worker_left"])
    }

    @Test func `kinds are combined, and exclusions take precedence`() throws {
        let answered = try #require(NamePattern("*.answered"))
        let brokers = try #require(NamePattern("broker.*"))
        #expect(kinds { $0.kinds = [answered] } == ["movie.detail.answered", "broker.answered", "query.answered"])
        #expect(
            kinds {
                $0.kinds = [answered]
                $0.excludedKinds = [brokers]
            } == ["movie.detail.answered", "query.answered"])
    }

    @Test func `a query excludes events without a query`() {
        #expect(kinds { $0.query = "3f2a" }.count == events.count - 1)
        #expect(kinds { $0.query = "3f2b" }.isEmpty)
    }
}
