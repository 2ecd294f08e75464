import BrokerMachine
import Envelope
import Localization
import Majordomo
import MessageBus

@testable import BrokerCore
@testable import ServiceKit

extension MessageSamples {
    private static let at: Int64 = 1_795_248_550_123_456
    private static let id = RequestID(query: 0xa1, call: 0xb2)

    static func events() throws -> [MessageVector] {
        try ledgerEvents.map { event in
            let json = event.json(at: at, source: Broker.instance)
            return MessageVector(
                name: try JSONBytes.decode(Event.self, from: json).kind, form: .event, payload: "Event",
                frames: [String(decoding: json, as: UTF8.self)])
        } + [
            try event(
                "broker.connections_ended", ["count": 12, "owner": "process 4711", "reason": "too_many"],
                source: "broker/1", isCall: false),
            try event("query.started", ["command": "show", "date": "2022-01-05", "top": 10], isCall: false),
            try event(
                "query.answered", ["command": "show", "status": "ok", "tookMicroseconds": 14_200], isCall: false),
            try event(
                "part.requested", ["kind": "movie.detail", "service": "detail-fetcher", "what": "movie 20199882"]),
            try event("part.arrived", ["status": "ok", "tookMicroseconds": 5400, "what": "movie 20199882"]),
            try event("part.missed", ["code": "timeout", "what": "movie 20199882"]),
            try event("movie.detail.answered", answerAttributes, source: "detail-fetcher/2"),
        ]
    }

    private static let answerAttributes = {
        let question = Header(
            query: HexadecimalID(rawValue: id.query), parent: HexadecimalID(rawValue: 0xa2), kind: "movie.detail",
            sender: "gateway/4711",
            traceparent: TraceParent(query: id.query, call: id.call))
        return answer.eventAttributes(work: .microseconds(103_200), to: question)
    }()

    /// An answer of a handler with every attribute that its event can have.
    private static let answer = ServiceAnswer(
        status: .stale,
        failure: Failure(.timeout, LocalizedText(ko: "늦었습니다.", en: "It is late."), isRetryable: true),
        cache: CacheStatus(hit: false, fwd: .stale, collapsed: true, stored: true),
        upstream: UpstreamUse(calls: 2, took: .microseconds(101_900)))

    private static func event(
        _ kind: String, _ attributes: [String: AttributeValue], source: String = "gateway/4711", isCall: Bool = true
    ) throws -> MessageVector {
        try alone(
            kind, .event,
            Event(
                at: at, kind: kind, source: source, query: id.queryText, request: isCall ? id.description : nil,
                attributes: attributes))
    }

    private static let ledgerEvents: [LedgerEvent] = [
        .workerJoined(service: "echo", instance: "echo/1", capacity: 32),
        .workerLeft(service: "echo", instance: "echo/1", reason: .silent),
        .workerRefused(service: "cache-store", instance: "cache-store/2", reason: "exclusive"),
        .queued(id: id, service: "echo"),
        .dispatched(id: id, service: "echo", instance: "echo/1", attempt: 2, queued: .microseconds(1250)),
        .redelivered(id: id, service: "echo", instance: "echo/1"),
        .answered(id: id, service: "echo", instance: "echo/1", took: .microseconds(617)),
        .refused(id: id, service: "echo", .overloaded),
        .cancelled(id: id, service: "echo"),
        .suspected(id: id, service: "echo", kind: "test.ask"),
        .quarantined(id: id, service: "echo", kind: "test.ask", crashes: 3),
        .dropped(.malformed, .workerAddress, count: 3),
    ]
}
