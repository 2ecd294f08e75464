import Envelope
import EventLog
public import MessageBus
public import TerminalText

/// One query as a tree, once it is over.
public struct ConversationView: TapView {
    /// How much later than the gateway others may be heard of the same query.
    private static let lag: Int64 = 250_000

    private let prefix: String
    private let isJSON: Bool
    private let terminal: Terminal
    private var events: [Event] = []
    private var lost = 0
    private var endedAt: Int64?
    public private(set) var isDone = false

    /// - Parameter prefix: the query's first digits.
    public init(_ prefix: String, isJSON: Bool, terminal: Terminal) {
        self.prefix = prefix
        self.isJSON = isJSON
        self.terminal = terminal
    }

    public mutating func past(_ past: [StampedEvent], last: Int?) -> [String] {
        for stamped in past { note(stamped.event) }
        return []
    }

    public mutating func take(_ event: StampedEvent, lost: Int) -> [String] {
        self.lost += lost
        note(event.event)
        return ticked(at: event.event.at)
    }

    public mutating func ticked(at microseconds: Int64) -> [String] {
        if let endedAt, microseconds >= endedAt + Self.lag { isDone = true }
        return []
    }

    public func finish() throws -> [String] {
        let conversation = try Conversation.only(startingWith: prefix, in: events)
        var lines = lost > 0 ? [EventLine.gap(lost, isJSON: isJSON, style: terminal.style)] : []
        if isJSON {
            lines.append(String(decoding: try JSONBytes.encode(conversation), as: UTF8.self))
        } else {
            lines += conversation.lines(terminal.style, columns: terminal.size?.columns)
        }
        return lines
    }

    private mutating func note(_ event: Event) {
        guard event.query?.hasPrefix(prefix) == true else { return }
        events.append(event)
        if event.kind == "query.answered" { endedAt = event.at }
    }
}
