import Contracts
import Envelope
import EventLog
public import EventText
public import MessageBus

/// One query as a tree, after its end or after a timeout without events.
public struct ConversationView: TapView {
    /// Maximum delay in microseconds of events after the end of the query.
    private static let lag: Int64 = 250_000

    public private(set) var itemCount = 0
    public private(set) var isDone = false
    private let prefix: String
    private let isJSON: Bool
    private let format: EventFormat
    private var events: [Event] = []
    private var lost = 0
    private var hasEnded = false
    /// Microseconds since the last event of the query.
    private var silence: Int64 = 0

    /// - Parameter prefix: the first digits of the query id.
    public init(_ prefix: String, isJSON: Bool, _ format: EventFormat) {
        self.prefix = prefix
        self.isJSON = isJSON
        self.format = format
    }

    public mutating func takePast(
        _ past: [(event: StampedEvent, lost: Int)], last: Int?, isAll: Bool
    ) -> [String] {
        for (event, lost) in past { _ = take(event, lost: lost) }
        // Each query has a new id: if the past has no events of this id, none will come.
        isDone = events.isEmpty
        return []
    }

    public mutating func take(_ stamped: StampedEvent, lost: Int) -> [String] {
        self.lost += lost
        let event = stamped.event
        guard event.query?.hasPrefix(prefix) == true else { return [] }
        events.append(event)
        itemCount += 1
        silence = 0
        if event.kind == EventKind.queryAnswered { hasEnded = true }
        return []
    }

    public mutating func advance(by microseconds: Int64) -> [String] {
        silence += microseconds
        isDone = isDone || silence >= (hasEnded ? Self.lag : ExchangeMatcher.timeout)
        return []
    }

    public func finish() throws -> [String] {
        let conversation = try Conversation.only(startingWith: prefix, in: events)
        var lines = lost > 0 ? [EventLine.gap(lost, isJSON: isJSON, format)] : []
        if isJSON {
            lines.append(String(decoding: try JSONBytes.encode(conversation), as: UTF8.self))
        } else {
            lines += conversation.lines(format)
        }
        return lines
    }
}
