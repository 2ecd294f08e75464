import Envelope
public import EventLog
public import EventText
public import MessageBus

/// Prints each request with its answer and its duration as one line, when the exchange is complete.
public struct ExchangeView: TapView {
    public private(set) var itemCount = 0
    private let selection: EventSelection
    private let isJSON: Bool
    private var format: EventFormat
    private var matcher = ExchangeMatcher()

    public init(_ selection: EventSelection, isJSON: Bool, _ format: EventFormat) {
        self.selection = selection
        self.isJSON = isJSON
        self.format = format
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
        let gap = lost > 0 ? [EventLine.gap(lost, isJSON: isJSON, format)] : []
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
        if let first = selected.first { format.begin(at: first.beganAt) }
        return try selected.map { exchange in
            isJSON
                ? String(decoding: try JSONBytes.encode(exchange), as: UTF8.self)
                : exchange.line(format)
        }
    }
}
