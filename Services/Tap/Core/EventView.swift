import Envelope
public import EventLog
public import EventText
public import MessageBus

/// Prints each event as a line.
public struct EventView: TapView {
    public private(set) var itemCount = 0
    private let selection: EventSelection
    private let isJSON: Bool
    private var format: EventFormat

    public init(_ selection: EventSelection, isJSON: Bool, _ format: EventFormat) {
        self.selection = selection
        self.isJSON = isJSON
        self.format = format
    }

    public mutating func takePast(
        _ events: [(event: StampedEvent, lost: Int)], last: Int?, isAll: Bool
    ) throws -> [String] {
        var left = last ?? .max
        var shown = events[...]
        if let first = events.lastIndex(where: { event, _ in
            if selection.contains(event.event) { left -= 1 }
            return left == 0
        }) {
            shown = events[first...]
        }
        return try shown.flatMap { try take($0.event, lost: $0.lost) }
    }

    public mutating func take(_ event: StampedEvent, lost: Int) throws -> [String] {
        let gap = lost > 0 ? [EventLine.gap(lost, isJSON: isJSON, format)] : []
        guard selection.contains(event.event) else { return gap }
        itemCount += 1
        format.begin(at: event.event.at)
        return gap + [try line(event)]
    }

    public func advance(by microseconds: Int64) -> [String] { [] }
    public func finish() -> [String] { [] }

    private func line(_ event: StampedEvent) throws -> String {
        isJSON
            ? String(decoding: try EventLine.json(event), as: UTF8.self)
            : EventLine.text(event.event, format)
    }
}
