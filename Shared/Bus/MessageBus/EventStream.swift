public import Envelope

/// An event with its position in the stream.
public struct StampedEvent: Sendable, Equatable {
    public let stamp: EventStamp
    public let event: Event

    public init(stamp: EventStamp, event: Event) {
        self.stamp = stamp
        self.event = event
    }
}

/// A change of the connection to the stream of events.
public enum ConnectionChange: Sendable, Equatable {
    /// The broker has not answered for about a second.
    case lost
    /// The broker answers again, or its successor does.
    ///
    /// - Parameter missed: the number of events that were published meanwhile and can no longer be fetched.
    case restored(missed: Int)
}

/// The result of waiting for an event.
public enum EventArrival: Sendable {
    /// An event, and the number of lost events before it (0 unless the broker or the reader is too slow).
    case event(StampedEvent, lost: Int)
    case connection(ConnectionChange)
    /// No event arrived before the deadline.
    case quiet
    /// Closed or cancelled.
    case closed
}

/// The stream of all events: past ones first, then live ones, each once and in order.
///
/// It supports one consumer, which calls `next` continuously.
public protocol EventStream: Actor {
    /// Waits for the next event until the deadline.
    func next(until deadline: ContinuousClock.Instant) async throws -> EventArrival

    /// The next requested past event, without waiting for live events; nil when there are no more.
    ///
    /// - Returns: The event and the number of lost events before it.
    func nextPastEvent() -> (StampedEvent, lost: Int)?

    func close() async
}

extension EventStream {
    /// The next event; nil once closed or cancelled.
    ///
    /// - Returns: The event and the number of lost events before it.
    public func next() async throws -> (StampedEvent, lost: Int)? {
        while true {
            switch try await next(until: .now + .seconds(3600)) {
            case .event(let event, let lost): return (event, lost)
            case .closed: return nil
            case .connection, .quiet: break
            }
        }
    }
}
