import Envelope
public import EventLog
public import MessageBus
public import TerminalText

/// Prints each event as a line.
public struct EventView: TapView {
    public private(set) var itemCount = 0
    private let selection: EventSelection
    private let isJSON: Bool
    private let terminal: Terminal

    public init(_ selection: EventSelection, isJSON: Bool, terminal: Terminal) {
        self.selection = selection
        self.isJSON = isJSON
        self.terminal = terminal
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
        let gap = lost > 0 ? [EventLine.gap(lost, isJSON: isJSON, style: terminal.style)] : []
        guard selection.contains(event.event) else { return gap }
        itemCount += 1
        return gap + [try line(event)]
    }

    public func advance(by microseconds: Int64) -> [String] { [] }
    public func finish() -> [String] { [] }

    private func line(_ event: StampedEvent) throws -> String {
        isJSON
            ? String(decoding: try EventLine.json(event), as: UTF8.self)
            : EventLine.text(event.event, style: terminal.style, columns: terminal.size?.columns)
    }
}
