public import MessageBus

/// What a tap makes of the events that it sees: lines, each without its end.
public protocol TapView {
    /// How much has come of what it shows.
    var news: Int { get }
    /// It has all that it wanted.
    var isDone: Bool { get }

    /// What has happened before, each event with how many before it were lost.
    ///
    /// - Parameters:
    ///   - last: how much of it is shown; nil shows all.
    ///   - isAll: nothing more will come.
    mutating func past(_ events: [(event: StampedEvent, lost: Int)], last: Int?, isAll: Bool) throws -> [String]
    /// One event, and how many before it were lost.
    mutating func take(_ event: StampedEvent, lost: Int) throws -> [String]
    /// So many microseconds have passed since this was last said, a second about.
    mutating func passed(_ microseconds: Int64) throws -> [String]
    /// Nothing more will come.
    mutating func finish() throws -> [String]
}

extension TapView {
    public var isDone: Bool { false }
}
