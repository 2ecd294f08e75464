internal import Contracts
public import Envelope
public import MessageBus
internal import ProcessKit
public import TerminalText

/// One event as one line: time, source, kind, ids, attributes.
public enum EventLine {
    /// "2026-11-21T08:09:10.123456Z  gateway/4711  query.started  3f2a…  command=show  date=2022-01-05"
    ///
    /// - Parameter columns: width of the terminal, at which a long line continues below, indented; nil for one line.
    public static func text(_ event: Event, style: TextStyle = .plain, columns: Int? = nil) -> String {
        var pieces = [
            TextPiece(RFC3339.text(microseconds: event.at), style: style.dim),
            TextPiece(event.source.printable, style: style.cyan),
            TextPiece(event.kind.printable, style: event.isProblem ? style.red : style.bold),
        ]
        if let query = event.query { pieces.append(TextPiece(String(query.prefix(8)).printable, style: style.dim)) }
        pieces += event.attributes.sorted { $0.key < $1.key }.map { TextPiece("\($0.key)=\($0.value)".printable) }
        return pieces.joined(columns: columns)
    }

    /// One JSON object per line: the event with its sequence number, and its time as text.
    public static func json(_ stamped: StampedEvent) throws -> [UInt8] {
        try JSONBytes.encode(
            Line(
                time: RFC3339.text(microseconds: stamped.event.at), sequence: stamped.stamp.sequence,
                event: stamped.event))
    }

    /// The line that reports how many events were lost before an event.
    public static func gap(_ lost: Int, isJSON: Bool, style: TextStyle = .plain) -> String {
        isJSON ? #"{"lost":\#(lost)}"# : style.red("lost \(lost)")
    }

    private struct Line: Encodable {
        let time: String
        let sequence: UInt64
        let event: Event

        enum CodingKeys: String, CodingKey {
            case time, sequence, kind, source, query, request, attributes
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(time, forKey: .time)
            try container.encode(sequence, forKey: .sequence)
            try container.encode(event.kind, forKey: .kind)
            try container.encode(event.source, forKey: .source)
            try container.encodeIfPresent(event.query, forKey: .query)
            try container.encodeIfPresent(event.request, forKey: .request)
            try container.encode(event.attributes, forKey: .attributes)
        }
    }
}

extension Event {
    /// Whether the event reports a problem.
    var isProblem: Bool {
        if case .text("failed")? = attributes["status"] { return true }
        return Self.problemKinds.contains(kind)
    }

    private static let problemKinds: Set = [
        EventKind.breakerOpen, EventKind.connectionsEnded, EventKind.dropped, EventKind.peerRefused, EventKind.refused,
        EventKind.requestQuarantined, EventKind.requestSuspected, EventKind.workerRefused, EventKind.partMissed,
    ]
}
