public import MessageBus

/// Converts the events of a tap into lines, each without a line break.
public protocol TapView {
    /// Number of received items that belong to the view.
    var itemCount: Int { get }
    /// Whether the view needs no more events.
    var isDone: Bool { get }

    /// Takes the past events, each with the number of lost events before it.
    ///
    /// - Parameters:
    ///   - last: number of items to print; nil prints all.
    ///   - isAll: no live events will follow.
    mutating func takePast(_ events: [(event: StampedEvent, lost: Int)], last: Int?, isAll: Bool) throws -> [String]
    /// Takes one event, with the number of lost events before it.
    mutating func take(_ event: StampedEvent, lost: Int) throws -> [String]
    /// Adds the time since the last call, about a second.
    mutating func advance(by microseconds: Int64) throws -> [String]
    /// Returns the last lines.
    mutating func finish() throws -> [String]
}

extension TapView {
    public var isDone: Bool { false }
}
