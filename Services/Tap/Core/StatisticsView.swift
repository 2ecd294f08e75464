import Envelope
public import EventLog
public import MessageBus
public import TerminalText

/// What the stream tells, counted: on a terminal a table that is drawn anew each second, else the table at the end.
public struct StatisticsView: TapView {
    private static let interval: Int64 = 1_000_000

    private let selection: EventSelection
    private let isJSON: Bool
    private let terminal: Terminal
    private var statistics: EventStatistics
    private var drawnAt: Int64 = .min

    public init(_ selection: EventSelection, isJSON: Bool, terminal: Terminal) {
        self.selection = selection
        self.isJSON = isJSON
        self.terminal = terminal
        statistics = EventStatistics(selection)
    }

    public mutating func past(_ events: [StampedEvent], last: Int?) -> [String] {
        for stamped in events.suffix(last ?? events.count) { statistics.take(stamped.event) }
        return []
    }

    public mutating func take(_ event: StampedEvent, lost: Int) throws -> [String] {
        statistics.take(event.event, lost: lost)
        return []
    }

    public mutating func ticked(at microseconds: Int64) throws -> [String] {
        guard isJSON || terminal.isInteractive, drawnAt == .min || microseconds - drawnAt >= Self.interval else {
            return []
        }
        statistics.ticked(at: microseconds)
        let isFirst = drawnAt == .min
        drawnAt = microseconds
        if isJSON { return [String(decoding: try JSONBytes.encode(statistics), as: UTF8.self)] }
        return [frame(isFirst: isFirst)]
    }

    public mutating func finish() throws -> [String] {
        statistics.finish()
        if isJSON { return [String(decoding: try JSONBytes.encode(statistics), as: UTF8.self)] }
        return terminal.isInteractive && drawnAt != .min ? [frame(isFirst: false)] : statistics.lines(terminal.style)
    }

    /// The table over the one before: each line ends by clearing the rest of it, and the last one what is below.
    private func frame(isFirst: Bool) -> String {
        let lines = statistics.lines(
            terminal.style, size: terminal.size.map { ($0.columns, $0.lines - 1) })
        return (isFirst ? "\u{1B}[2J" : "") + "\u{1B}[H" + lines.map { "\($0)\u{1B}[K" }.joined(separator: "\n")
            + "\u{1B}[J"
    }
}
