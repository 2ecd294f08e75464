import Envelope
public import MessageBus
import ServiceKit

/// One event as one line: time, source, kind, ids, facts.
public enum EventLine {
    /// "2026-11-21T08:09:10.123456Z  gateway/4711  query.started  3f2a…  command=show date=2022-01-05"
    public static func text(_ stamped: StampedEvent) -> String {
        let event = stamped.event
        var words = [RFC3339.text(microseconds: event.at), event.source, event.kind]
        if let query = event.query { words.append(String(query.prefix(8))) }
        words += event.facts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return words.map(\.printable).joined(separator: "  ")
    }

    /// One JSON object a line: the event with its stamp and its time as text.
    public static func json(_ stamped: StampedEvent) throws -> [UInt8] {
        try JSONBytes.encode(
            Line(
                time: RFC3339.text(microseconds: stamped.event.at), sequence: stamped.stamp.sequence,
                event: stamped.event))
    }

    /// What was lost before an event, told instead of hidden.
    public static func gap(_ lost: Int, isJSON: Bool) -> String {
        isJSON ? #"{"lost":\#(lost)}"# : "lost \(lost)"
    }

    private struct Line: Encodable {
        let time: String
        let sequence: UInt64
        let event: Event

        enum CodingKeys: String, CodingKey {
            case time, sequence, kind, source, query, request, facts
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(time, forKey: .time)
            try container.encode(sequence, forKey: .sequence)
            try container.encode(event.kind, forKey: .kind)
            try container.encode(event.source, forKey: .source)
            try container.encodeIfPresent(event.query, forKey: .query)
            try container.encodeIfPresent(event.request, forKey: .request)
            try container.encode(event.facts, forKey: .facts)
        }
    }
}
