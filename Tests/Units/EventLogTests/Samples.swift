import Envelope

/// Events of one query, as the processes of a stack publish them.
enum Samples {
    static let query = "3f2a00000000000b"

    static func request(_ call: Int) -> String { query + hexadecimal(call) }

    static func hexadecimal(_ call: Int) -> String {
        let digits = String(call, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    static func event(
        _ kind: String, call: Int?, at: Int64, source: String = "broker/1", _ attributes: [String: AttributeValue] = [:]
    ) -> Event {
        Event(at: at, kind: kind, source: source, query: query, request: call.map(request), attributes: attributes)
    }

    static func queued(_ call: Int, at: Int64, _ service: String = "detail-fetcher") -> Event {
        event("broker.queued", call: call, at: at, ["service": .text(service)])
    }

    static func dispatched(_ call: Int, at: Int64, to instance: String = "detail-fetcher/2", attempt: Int = 1) -> Event
    {
        event(
            "broker.dispatched", call: call, at: at,
            [
                "service": "detail-fetcher", "instance": .text(instance), "attempt": .number(attempt),
                "queuedMicroseconds": 7,
            ])
    }

    static func answered(_ call: Int, at: Int64, took: Int, by instance: String = "detail-fetcher/2") -> Event {
        event(
            "broker.answered", call: call, at: at,
            ["service": "detail-fetcher", "instance": .text(instance), "tookMicroseconds": .number(took)])
    }

    static func workerAnswer(
        _ call: Int, at: Int64, kind: String = "movie.detail", by instance: String = "detail-fetcher/2",
        attributes: [String: AttributeValue] = [
            "status": "ok", "from": "gateway/4711", "key": "movie.detail?code=20199882",
        ]
    ) -> Event {
        event("\(kind).answered", call: call, at: at, source: instance, attributes)
    }
}
