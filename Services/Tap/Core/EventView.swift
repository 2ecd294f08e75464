import Envelope
public import EventLog
public import MessageBus
public import TerminalText

/// Each event as a line.
public struct EventView: TapView {
    private let selection: EventSelection
    private let isJSON: Bool
    private let terminal: Terminal

    public init(_ selection: EventSelection, isJSON: Bool, terminal: Terminal) {
        self.selection = selection
        self.isJSON = isJSON
        self.terminal = terminal
    }

    public mutating func past(_ events: [StampedEvent], last: Int?) throws -> [String] {
        let selected = events.filter { selection.contains($0.event) }
        return try selected.suffix(last ?? selected.count).map(line)
    }

    public mutating func take(_ event: StampedEvent, lost: Int) throws -> [String] {
        let gap = lost > 0 ? [EventLine.gap(lost, isJSON: isJSON, style: terminal.style)] : []
        return selection.contains(event.event) ? gap + [try line(event)] : gap
    }

    public func ticked(at microseconds: Int64) -> [String] { [] }
    public func finish() -> [String] { [] }

    private func line(_ event: StampedEvent) throws -> String {
        isJSON
            ? String(decoding: try EventLine.json(event), as: UTF8.self)
            : EventLine.text(event.event, style: terminal.style, columns: terminal.size?.columns)
    }
}
