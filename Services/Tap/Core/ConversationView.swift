import Contracts
import Envelope
import EventLog
public import MessageBus
public import TerminalText

/// One query as a tree, once it is over, or once nothing more has been heard of it for long.
public struct ConversationView: TapView {
    /// Microseconds that others may be heard of the same query later than its asker.
    private static let lag: Int64 = 250_000

    public private(set) var news = 0
    public private(set) var isDone = false
    private let prefix: String
    private let isJSON: Bool
    private let terminal: Terminal
    private var events: [Event] = []
    private var lost = 0
    private var hasEnded = false
    /// Since the last news.
    private var silence: Int64 = 0

    /// - Parameter prefix: the query's first digits.
    public init(_ prefix: String, isJSON: Bool, terminal: Terminal) {
        self.prefix = prefix
        self.isJSON = isJSON
        self.terminal = terminal
    }

    public mutating func past(
        _ past: [(event: StampedEvent, lost: Int)], last: Int?, isAll: Bool
    ) -> [String] {
        for (event, lost) in past { _ = take(event, lost: lost) }
        // An id is made up when the question is asked: one that has not been seen will not come.
        isDone = events.isEmpty
        return []
    }

    public mutating func take(_ stamped: StampedEvent, lost: Int) -> [String] {
        self.lost += lost
        let event = stamped.event
        guard event.query?.hasPrefix(prefix) == true else { return [] }
        events.append(event)
        news += 1
        silence = 0
        if event.kind == EventKind.queryAnswered { hasEnded = true }
        return []
    }

    public mutating func passed(_ microseconds: Int64) -> [String] {
        silence += microseconds
        isDone = isDone || silence >= (hasEnded ? Self.lag : ExchangeMatcher.patience)
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
}
