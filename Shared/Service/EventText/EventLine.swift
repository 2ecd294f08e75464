internal import Contracts
public import Envelope
internal import EventLog
public import Localization
public import MessageBus
internal import ProcessKit
internal import TerminalText

/// One event as one line: time, source, kind, ids, attributes.
public enum EventLine {
    /// "17:09:10.123  gateway/4711  query.started  3f2a…  command=show  date=2022-01-05"; a line that is wider than the
    /// terminal continues below, indented.
    public static func text(_ event: Event, _ format: EventFormat) -> String {
        let style = format.style
        var pieces = [
            TextPiece(format.text(at: event.at), style: style.dim),
            TextPiece(event.source.printable, style: style.cyan),
            TextPiece(event.kind.printable, style: event.isProblem ? style.red : style.bold),
        ]
        if let query = event.query { pieces.append(TextPiece(String(query.prefix(8)).printable, style: style.dim)) }
        pieces += event.attributes.sorted { $0.key < $1.key }.map { TextPiece("\($0.key)=\($0.value)".printable) }
        return pieces.joined(columns: format.columns)
    }

    /// One JSON object per line: the event with its sequence number, and its time as text.
    public static func json(_ stamped: StampedEvent) throws -> [UInt8] {
        try JSONBytes.encode(
            Line(
                time: RFC3339.text(microseconds: stamped.event.at), sequence: stamped.stamp.sequence,
                event: stamped.event))
    }

    /// The event of a line of `json`; nil for another line.
    public static func event(_ json: [UInt8]) -> StampedEvent? {
        // The caller reports the line by its number; the reason of the decoder adds nothing for a person.
        guard let line = try? JSONBytes.decode(Line.self, from: json),
            let at = RFC3339.microseconds(line.time)
        else { return nil }
        var event = line.event
        event.at = at
        return StampedEvent(stamp: EventStamp(epoch: 0, sequence: line.sequence), event: event)
    }

    /// The line that reports how many events were lost before an event.
    public static func gap(_ lost: Int, isJSON: Bool, _ format: EventFormat) -> String {
        isJSON
            ? #"{"lost":\#(lost)}"#
            : format.style.red(format.language("이벤트 \(lost)개를 놓쳤습니다", "lost \(lost)"))
    }

    private struct Line: Codable {
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

        init(time: String, sequence: UInt64, event: Event) {
            self.time = time
            self.sequence = sequence
            self.event = event
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            time = try container.decode(String.self, forKey: .time)
            sequence = try container.decode(UInt64.self, forKey: .sequence)
            event = Event(
                at: 0, kind: try container.decode(String.self, forKey: .kind),
                source: try container.decode(String.self, forKey: .source),
                query: try container.decodeIfPresent(String.self, forKey: .query),
                request: try container.decodeIfPresent(String.self, forKey: .request),
                attributes: try container.decode([String: AttributeValue].self, forKey: .attributes))
        }
    }
}

extension Event {
    /// Whether the event reports a problem.
    var isProblem: Bool {
        if case .text("failed")? = attributes["status"] { return true }
        return EventKind(rawValue: kind).map(Self.problemKinds.contains) ?? false
    }

    private static let problemKinds: Set<EventKind> = [
        .breakerOpen, .connectionsEnded, .dropped, .peerRefused, .refused, .requestQuarantined, .requestSuspected,
        .workerRefused, .partMissed,
    ]
}

extension ConnectionChange {
    /// The line that reports this change.
    public func note(_ language: Language) -> String {
        switch self {
        case .lost: language("브로커와 연결이 끊겨 다시 연결하고 있습니다.", "Connection to the broker lost, retrying.")
        case .restored(let missed):
            language("브로커에 다시 연결했습니다. 놓친 이벤트: \(missed)개", "Connected to the broker again; events missed: \(missed)")
        }
    }
}
