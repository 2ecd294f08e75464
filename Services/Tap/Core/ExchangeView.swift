import Envelope
public import EventLog
public import MessageBus
public import TerminalText

/// Each request with its answer and the time between them as one line, once both have been heard of.
public struct ExchangeView: TapView {
    private let selection: EventSelection
    private let isJSON: Bool
    private let terminal: Terminal
    private var matcher = ExchangeMatcher()

    public init(_ selection: EventSelection, isJSON: Bool, terminal: Terminal) {
        self.selection = selection
        self.isJSON = isJSON
        self.terminal = terminal
    }

    public mutating func past(_ events: [StampedEvent], last: Int?) throws -> [String] {
        var exchanges: [Exchange] = []
        for event in events { exchanges += matcher.take(event.event) }
        let lines = try lines(exchanges)
        return lines.suffix(last ?? lines.count)
    }

    public mutating func take(_ event: StampedEvent, lost: Int) throws -> [String] {
        let gap = lost > 0 ? [EventLine.gap(lost, isJSON: isJSON, style: terminal.style)] : []
        return gap + (try lines(matcher.take(event.event)))
    }

    public mutating func ticked(at microseconds: Int64) throws -> [String] {
        try lines(matcher.ticked(at: microseconds))
    }

    public mutating func finish() throws -> [String] {
        try lines(matcher.finish())
    }

    private func lines(_ exchanges: [Exchange]) throws -> [String] {
        try exchanges.filter(selection.contains).map { exchange in
            isJSON
                ? String(decoding: try JSONBytes.encode(exchange), as: UTF8.self)
                : exchange.pieces(terminal.style).joined(columns: terminal.size?.columns)
        }
    }
}
