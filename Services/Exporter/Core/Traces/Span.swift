import Contracts
import Envelope
import EventLog

/// A span of OpenTelemetry: one query, or one request of it.
///
/// Ids are those of W3C Trace Context as the messages have them: the query, repeated, is the trace; the call is the span;
/// a call of the asking program is a child of the query's own span.
struct Span: Equatable, Sendable {
    /// As numbered by OTLP.
    enum Kind: Int {
        case `internal` = 1
        case server = 2
    }

    enum Value: Equatable {
        case text(String)
        case number(Int)
        case seconds(Double)
    }

    /// 32 hexadecimal digits.
    let trace: String
    /// 16 hexadecimal digits.
    let id: String
    let parent: String?
    let name: String
    let kind: Kind
    /// Microseconds since 1970.
    let start: Int64
    let end: Int64
    /// The process that it describes, such as "detail-fetcher/2".
    let instance: String
    var attributes: [(name: String, value: Value)] = []
    /// Why it failed; nil when it did not.
    var error: String?

    var service: String { String(instance.prefix { $0 != "/" }) }

    static func == (left: Span, right: Span) -> Bool {
        (left.trace, left.id, left.parent, left.name, left.kind) == (
            right.trace, right.id, right.parent, right.name, right.kind
        ) && (left.start, left.end, left.instance, left.error) == (right.start, right.end, right.instance, right.error)
            && left.attributes.elementsEqual(right.attributes) { $0 == $1 }
    }

    /// The span of a whole query; nil for another event, and for one without a valid query.
    init?(queryAnswered event: Event) {
        guard event.kind == EventKind.queryAnswered, let query = event.query.flatMap(SpanID.init),
            let took = event.attributes["tookMicroseconds"]?.count
        else { return nil }
        let command = event.attributes["command"]?.description ?? "query"
        let end = event.at.boundedTime
        trace = query.text + query.text
        id = query.text
        parent = nil
        name = command
        kind = .internal
        (start, self.end) = (max(0, end - Int64(took)), end)
        instance = event.source
        attributes = [("boxoffice.command", .text(command))]
        if event.attributes["status"]?.description == ReplyStatus.failed.rawValue { error = "failed" }
    }

    /// The span of a request; nil for one whose ids or whose end are not known.
    init?(_ exchange: Exchange) {
        guard exchange.request.utf8.count == 32, let query = SpanID(exchange.query), let call = SpanID(exchange.call),
            let took = exchange.tookMicroseconds, exchange.outcome != .open
        else { return nil }
        trace = query.text + query.text
        id = call.text
        parent = exchange.parent.flatMap(SpanID.init)?.text ?? query.text
        name = exchange.kind ?? exchange.service ?? "request"
        kind = .server
        start = exchange.beganAt.boundedTime
        end = start + Int64(took)
        instance = exchange.instance ?? exchange.service ?? "unknown"
        attributes = [("rpc.system", .text("boxoffice"))]
        func add(_ name: String, _ text: String?) {
            if let text { attributes.append((name, .text(text))) }
        }
        func add(_ name: String, microseconds: Int?) {
            if let microseconds { attributes.append((name, .seconds(Double(microseconds) / 1_000_000))) }
        }
        add("rpc.service", exchange.service)
        add("rpc.method", exchange.kind)
        add("boxoffice.subject", exchange.subject)
        add("boxoffice.requester", exchange.requester)
        add("boxoffice.cache", exchange.cache)
        add("boxoffice.queue.duration", microseconds: exchange.queuedMicroseconds)
        add("boxoffice.upstream.duration", microseconds: exchange.upstreamMicroseconds)
        if exchange.attempts > 1 { attributes.append(("boxoffice.attempts", .number(exchange.attempts))) }
        switch exchange.outcome {
        case .refused(let code): error = code
        case .cancelled: error = "cancelled"
        case .answered(ReplyStatus.failed.rawValue): error = exchange.code ?? "failed"
        case .answered, .open: break
        }
        add("error.type", error)
    }
}

/// An id as W3C Trace Context allows it: 16 lowercase hexadecimal digits, not all of them 0.
private struct SpanID {
    let text: String

    init?(_ text: String) {
        guard text.utf8.count == 16, text.utf8.contains(where: { $0 != UInt8(ascii: "0") }),
            text.utf8.allSatisfy({
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            })
        else { return nil }
        self.text = text
    }
}

extension Int64 {
    /// A time that still fits into nanoseconds: events have any number.
    fileprivate var boundedTime: Int64 { Swift.min(Swift.max(0, self), 9_000_000_000_000_000) }
}
