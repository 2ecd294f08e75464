/// When a file that could not be opened is tried again: after pauses that grow from a second to a minute.
///
/// A pure value.
struct RetryPause: Sendable {
    private static let (shortest, longest): (Duration, Duration) = (.seconds(1), .seconds(60))

    private var pause = shortest
    private var next: ContinuousClock.Instant?

    /// Whether it is time for another attempt; the next one is later.
    mutating func isOver(at now: ContinuousClock.Instant) -> Bool {
        if let next, now < next { return false }
        next = now + pause
        pause = min(pause * 2, Self.longest)
        return true
    }

    mutating func reset() { self = RetryPause() }
}
