internal import Contracts
public import Envelope

/// What time it is in the stream: by the broker's own events, since the clocks of others may go wrong, and by what passes
/// while nobody says anything.
public struct StreamClock: Sendable, Equatable {
    /// When the stream was first and last heard, in microseconds since 1970; nil before anything was.
    public private(set) var span: ClosedRange<Int64>?
    private var hasHeard = false

    public init() {}

    public var now: Int64 { span?.upperBound ?? 0 }

    public mutating func heard(_ event: Event) {
        guard event.kind.hasPrefix(EventKind.brokerPrefix) else { return }
        hasHeard = true
        let at = event.bounded.at
        span = span.map { min($0.lowerBound, at)...max($0.upperBound, at) } ?? at...at
    }

    /// So many microseconds have passed since this was last said.
    public mutating func passed(_ microseconds: Int64) {
        defer { hasHeard = false }
        // What was heard meanwhile has told the time already.
        guard !hasHeard, let span else { return }
        self.span =
            span.lowerBound...min(span.upperBound + max(0, min(microseconds, 60_000_000)), 300_000_000_000_000_000)
    }
}
