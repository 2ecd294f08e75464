public import MessageBus

/// What a tap makes of the events that it sees: lines, each without its end.
public protocol TapView {
    /// What has happened before; `last` bounds how much of it is shown, nil shows all.
    mutating func past(_ events: [StampedEvent], last: Int?) throws -> [String]
    /// One event, and how many before it were lost.
    mutating func take(_ event: StampedEvent, lost: Int) throws -> [String]
    /// Nothing came for a while, or a second is over.
    mutating func ticked(at microseconds: Int64) throws -> [String]
    /// Nothing more will come.
    mutating func finish() throws -> [String]
    /// It has all that it wanted.
    var isDone: Bool { get }
}

extension TapView {
    public var isDone: Bool { false }
}
