public import Envelope

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
