public import Envelope

extension Event {
    /// The event with a time that can be reckoned with: whoever says it may say any number.
    var bounded: Event {
        var event = self
        event.at = min(max(0, at), 253_402_300_799_999_999)
        return event
    }
}

extension AttributeValue {
    /// A number that can be one of microseconds or things, 0 to 10¹²; nil for anything else.
    public var count: Int? {
        if case .number(let number) = self, 0...1_000_000_000_000 ~= number { number } else { nil }
    }
}
