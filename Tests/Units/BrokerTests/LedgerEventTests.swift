import BrokerMachine
import Envelope
import Majordomo
import MessageBus
import Testing

@testable import BrokerCore

@Suite struct LedgerEventTests {
    private static let id = RequestID(query: 0xa1, call: 0xb2)
    private static let awkward = "a\"\\\n\u{1}한/é"

    private static let events: [(LedgerEvent, kind: String, attributes: [String: AttributeValue])] = [
        (
            .workerJoined(service: "chart-fetcher", instance: awkward, capacity: 32), "broker.worker_joined",
            ["service": "chart-fetcher", "instance": .text(awkward), "capacity": 32]
        ),
        (
            .workerLeft(service: awkward, instance: "i", reason: .silent), "broker.worker_left",
            ["service": .text(awkward), "instance": "i", "reason": "silent"]
        ),
        (
            .workerRefused(service: "s", instance: "i", reason: "exclusive"), "broker.worker_refused",
            ["service": "s", "instance": "i", "reason": "exclusive"]
        ),
        (.queued(id: id, service: "s"), "broker.queued", ["service": "s"]),
        (.queued(id: nil, service: "s"), "broker.queued", ["service": "s"]),
        (
            .dispatched(id: id, service: "s", instance: "i", attempt: 2, queued: .microseconds(1_234_567)),
            "broker.dispatched",
            ["service": "s", "instance": "i", "attempt": 2, "queuedMicroseconds": 1_234_567]
        ),
        (.redelivered(id: id, service: "s", instance: "i"), "broker.redelivered", ["service": "s", "from": "i"]),
        (
            .answered(id: id, service: "s", instance: "i", took: .zero), "broker.answered",
            ["service": "s", "instance": "i", "tookMicroseconds": 0]
        ),
        (.refused(id: id, service: "s", .workerLost), "broker.refused", ["service": "s", "code": "worker_lost"]),
        (.cancelled(id: id, service: "s"), "broker.cancelled", ["service": "s"]),
        (.cancelled(id: nil, service: "s"), "broker.cancelled", ["service": "s"]),
        (
            .suspected(id: id, service: "s", kind: awkward), "broker.request_suspected",
            ["service": "s", "kind": .text(awkward)]
        ),
        (
            .quarantined(id: nil, service: "s", kind: "movie.detail", crashes: 3), "broker.request_quarantined",
            ["service": "s", "kind": "movie.detail", "crashes": 3]
        ),
        (
            .dropped(.malformed, .workerAddress, count: 3), "broker.dropped",
            ["reason": "malformed", "fault": "worker_address", "count": 3]
        ),
        (.dropped(.staleTicket, nil, count: 1), "broker.dropped", ["reason": "stale_ticket", "count": 1]),
    ]

    @Test(arguments: events.indices)
    func `a ledger event has the same bytes as an encoded event`(_ index: Int) throws {
        let (ledger, kind, attributes) = Self.events[index]
        let hasID = Self.hasID(ledger)
        let event = Event(
            at: 1_795_248_550_123_456, kind: kind, source: "broker/1", query: hasID ? Self.id.queryText : nil,
            request: hasID ? Self.id.description : nil, attributes: attributes)
        let json = ledger.json(at: 1_795_248_550_123_456, source: "broker/1")
        #expect(try json == JSONBytes.encode(event))
        #expect(try JSONBytes.decode(Event.self, from: json) == event)
    }

    private static func hasID(_ event: LedgerEvent) -> Bool {
        switch event {
        case .queued(let id, _), .dispatched(let id, _, _, _, _), .redelivered(let id, _, _),
            .answered(let id, _, _, _), .refused(let id, _, _), .cancelled(let id, _), .suspected(let id, _, _),
            .quarantined(let id, _, _, _):
            id != nil
        case .workerJoined, .workerLeft, .workerRefused, .dropped: false
        }
    }
}
