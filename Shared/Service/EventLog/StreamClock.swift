internal import Contracts
public import Envelope

/// The current time of an event stream: the time of the last event of the broker, since other clocks may be wrong, plus
/// the time that passes without such events.
public struct StreamClock: Sendable, Equatable {
    /// First and last time, in microseconds since 1970; nil before the first event.
    public private(set) var span: ClosedRange<Int64>?
    private var hasObserved = false

    public init() {}

    public var now: Int64 { span?.upperBound ?? 0 }

    public mutating func observe(_ event: Event) {
        guard event.kind.hasPrefix(EventKind.brokerPrefix) else { return }
        hasObserved = true
        let at = event.bounded.at
        span = span.map { min($0.lowerBound, at)...max($0.upperBound, at) } ?? at...at
    }

    /// Adds the time since the last call.
    public mutating func advance(by microseconds: Int64) {
        defer { hasObserved = false }
        // An event since the last call has already set the time.
        guard !hasObserved, let span else { return }
        self.span =
            span.lowerBound...min(span.upperBound + max(0, min(microseconds, 60_000_000)), 300_000_000_000_000_000)
    }
}

extension Event {
    /// The event with its time limited to a valid range: senders may send any number.
    var bounded: Event {
        var event = self
        event.at = min(max(0, at), 253_402_300_799_999_999)
        return event
    }
}

extension AttributeValue {
    /// A number of microseconds or items, 0 to 10¹²; nil for other values.
    public var count: Int? {
        if case .number(let number) = self, 0...1_000_000_000_000 ~= number { number } else { nil }
    }
}
