import Envelope
public import EventLog
public import MessageBus
public import TerminalText

/// Prints each request with its answer and its duration as one line, when the exchange is complete.
public struct ExchangeView: TapView {
    public private(set) var itemCount = 0
    private let selection: EventSelection
    private let isJSON: Bool
    private let terminal: Terminal
    private var matcher = ExchangeMatcher()

    public init(_ selection: EventSelection, isJSON: Bool, terminal: Terminal) {
        self.selection = selection
        self.isJSON = isJSON
        self.terminal = terminal
    }

    public mutating func takePast(
        _ events: [(event: StampedEvent, lost: Int)], last: Int?, isAll: Bool
    ) throws -> [String] {
        var lines: [String] = []
        for (event, lost) in events { lines += try take(event, lost: lost) }
        if isAll { lines += try finish() }
        return lines.suffix(last ?? lines.count)
    }

    public mutating func take(_ event: StampedEvent, lost: Int) throws -> [String] {
        let gap = lost > 0 ? [EventLine.gap(lost, isJSON: isJSON, style: terminal.style)] : []
        return gap + (try lines(matcher.take(event.event)))
    }

    public mutating func advance(by microseconds: Int64) throws -> [String] {
        try lines(matcher.advance(by: microseconds))
    }

    public mutating func finish() throws -> [String] {
        try lines(matcher.finish())
    }

    private mutating func lines(_ exchanges: [Exchange]) throws -> [String] {
        let selected = exchanges.filter(selection.contains)
        itemCount += selected.count
        return try selected.map { exchange in
            isJSON
                ? String(decoding: try JSONBytes.encode(exchange), as: UTF8.self)
                : exchange.pieces(terminal.style).joined(columns: terminal.size?.columns)
        }
    }
}
