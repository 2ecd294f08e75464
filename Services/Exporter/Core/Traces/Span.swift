import Contracts
import Envelope

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

    struct Attribute: Equatable {
        let name: String
        let value: Value
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
    private(set) var attributes: [Attribute]
    /// Why it failed; nil when it did not.
    private(set) var error: String?

    var service: String { String(instance.prefix { $0 != "/" }) }

    /// The span that an event ends: of a query at its asker, of a request at its worker; nil for another event, for one
    /// without valid ids, and for a question about the stack.
    init?(_ event: Event) {
        let isQuery = event.kind == EventKind.queryAnswered
        let request = EventKind.answeredKind(of: event.kind)
        guard isQuery || request != nil, !event.isInspection, let query = event.query.flatMap(SpanID.init),
            let took = event.attributes[isQuery ? "tookMicroseconds" : "workMicroseconds"]?.number
        else { return nil }
        func text(_ name: String) -> String? { event.attributes[name].map { $0.description.limited } }
        if isQuery {
            (id, parent) = (query.text, nil)
            (name, kind) = (text("command") ?? "query", .internal)
            attributes = []
        } else {
            guard let id = event.request, id.utf8.count == 32, let call = SpanID(String(id.suffix(16))),
                id.hasPrefix(query.text)
            else { return nil }
            self.id = call.text
            parent = event.attributes["parent"].flatMap { SpanID($0.description) }?.text ?? query.text
            (name, kind) = (request?.limited ?? "request", .server)
            attributes = [
                Attribute(name: "rpc.system", value: .text("boxoffice")),
                Attribute(name: "rpc.service", value: .text(event.service.limited)),
                Attribute(name: "rpc.method", value: .text(name)),
            ]
        }
        trace = query.text + query.text
        // Times that still fit into nanoseconds: events have any number.
        end = min(max(0, event.at), 9_000_000_000_000_000)
        start = max(0, end - min(max(0, Int64(took)), end))
        instance = event.source.limited
        for (name, attribute) in [
            ("boxoffice.key", "key"), ("boxoffice.requester", "from"), ("boxoffice.cache", "cache"),
        ] {
            if let text = text(attribute) { attributes.append(Attribute(name: name, value: .text(text))) }
        }
        if let calls = event.attributes["upstreamCalls"]?.number {
            attributes.append(Attribute(name: "boxoffice.upstream.calls", value: .number(calls)))
        }
        if let upstream = event.attributes["upstreamMicroseconds"]?.number {
            let seconds = Double(upstream) / 1_000_000
            attributes.append(Attribute(name: "boxoffice.upstream.duration", value: .seconds(seconds)))
        }
        guard text("status") == ReplyStatus.failed.rawValue else { return }
        let error = text("code") ?? "failed"
        attributes.append(Attribute(name: "error.type", value: .text(error)))
        self.error = error
    }
}

/// An id as W3C Trace Context allows it: 16 lowercase hexadecimal digits, not all of them 0.
private struct SpanID {
    let text: String

    init?(_ text: String) {
        guard text.utf8.count == 16, text.utf8.contains(where: { $0 != UInt8(ascii: "0") }),
            text.utf8.allSatisfy(Self.isDigit)
        else { return nil }
        self.text = text
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }
}

extension String {
    /// Its first 256 bytes: a waiting span takes a bounded space.
    fileprivate var limited: String {
        utf8.count <= 256 ? self : String(decoding: utf8.prefix(256), as: UTF8.self)
    }
}
