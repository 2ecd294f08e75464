import Envelope
public import MessageBus

/// Converts the events of a tap into lines, each without a line break.
public protocol TapView {
    /// Number of received items that belong to the view.
    var itemCount: Int { get }
    /// Whether the view needs no more events.
    var isDone: Bool { get }
    /// Whether there is no connection to the broker at present.
    var isConnectionLost: Bool { get set }

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
    /// Views that print lines leave the report to their caller.
    public var isConnectionLost: Bool {
        get { false }
        set {}
    }
}

/// Start and end of the observation of a tap.
public struct TapRequest: Sendable {
    /// The past events that it begins with.
    public enum Past: Sendable, Equatable {
        case none
        /// All that the broker has buffered.
        case all
        /// The last items of the view.
        case last(Int)
        /// Events since a moment, in microseconds since 1970.
        case since(Int64)
    }

    public var past = Past.none
    /// Continues with live events after the past ones.
    public var isFollowing = true
    /// Ends after this number of lines.
    public var count: Int?
    /// Ends after this time.
    public var duration: Duration?
    /// Ends when no item was printed for this time.
    public var idle: Duration?

    public init() {}

    /// The number of past items; nil for all.
    var last: Int? { if case .last(let count) = past { count } else { nil } }

    func includes(_ event: Event) -> Bool {
        if case .since(let moment) = past { event.at >= moment } else { true }
    }
}
