import Envelope
public import EventLog
import EventText
public import Localization
public import MessageBus
public import TerminalText

/// Figures of the stream: on a terminal a table that is redrawn each second, else one table at the end.
public struct StatisticsView: TapView {
    public private(set) var itemCount = 0
    public var isConnectionLost = false
    private let isJSON: Bool
    private let language: Language
    private let terminal: Terminal
    private var statistics: EventStatistics
    private var isDrawn = false

    public init(_ selection: EventSelection, isJSON: Bool, _ language: Language, terminal: Terminal) {
        self.isJSON = isJSON
        self.language = language
        self.terminal = terminal
        statistics = EventStatistics(selection)
    }

    public mutating func takePast(
        _ events: [(event: StampedEvent, lost: Int)], last: Int?, isAll: Bool
    ) -> [String] {
        for (event, lost) in events.suffix(last ?? events.count) { _ = take(event, lost: lost) }
        return []
    }

    public mutating func take(_ event: StampedEvent, lost: Int) -> [String] {
        if statistics.take(event.event, lost: lost) { itemCount += 1 }
        return []
    }

    public mutating func advance(by microseconds: Int64) throws -> [String] {
        statistics.advance(by: microseconds)
        if isJSON { return [try json()] }
        guard terminal.isInteractive else { return [] }
        defer { isDrawn = true }
        return [frame()]
    }

    public mutating func finish() throws -> [String] {
        statistics.finish()
        if isJSON { return [try json()] }
        // All rows: these lines stay.
        let size = terminal.size.map { (columns: $0.columns, lines: Int.max) }
        return isDrawn ? [frame()] : statistics.lines(language, terminal.style, size: size)
    }

    private func json() throws -> String {
        String(decoding: try JSONBytes.encode(statistics), as: UTF8.self)
    }

    /// The table, drawn over the previous one: each line clears its rest, and the last line everything below.
    private func frame() -> String {
        var lines = statistics.lines(
            language, terminal.style, size: terminal.size.map { ($0.columns, $0.lines - 1) })
        if isConnectionLost { lines[0] = terminal.style.red(ConnectionChange.lost.note(language)) }
        return (isDrawn ? "" : "\u{1B}[2J") + "\u{1B}[H" + lines.map { "\($0)\u{1B}[K" }.joined(separator: "\n")
            + "\u{1B}[J"
    }
}
