/// Keeps a host that does not answer from being asked on and on.
///
/// A pure value: calls and time in, decisions out. Closed, every call goes through. Many failures in a row that go on
/// for longer than a blip open it: then nobody asks for a while. After that one call probes the host while all others
/// still wait (half-open): its success closes the breaker, its failure opens it for twice as long.
public struct CircuitBreaker: Sendable {
    public struct Settings: Sendable, Hashable {
        /// Failed calls in a row that open it; 0 keeps it closed for ever.
        public var failures = 10
        /// How long the row of failures must have lasted as well: a shorter blip is what retries are for.
        public var blip: Duration = .seconds(1)
        /// How long it stays open first; doubled after each probe that fails.
        public var pause: Duration = .seconds(2)
        public var longestPause: Duration = .seconds(30)

        public init() {}
    }

    public enum State: Sendable, Hashable {
        case closed
        case open(until: ContinuousClock.Instant)
        /// A probe is on its way, or the next call will be one.
        case halfOpen
    }

    /// A call that may be made, to be handed back with its outcome.
    public struct Permit: Sendable, Hashable {
        fileprivate let epoch: UInt64
        fileprivate let isProbe: Bool
    }

    public enum Decision: Sendable, Hashable {
        case call(Permit)
        /// - Parameter retryAfter: when it may be worth asking again; zero while a probe is on its way.
        case refuse(retryAfter: Duration)
    }

    public enum Outcome: Sendable {
        /// The host answered, be it with a refusal.
        case answered
        /// No answer, or that of a server in trouble.
        case failed
        /// The call ended before anybody could know: it was cancelled, or never made.
        case unknown
    }

    public private(set) var state = State.closed
    /// Failed calls since the last that was answered.
    public private(set) var failuresInARow = 0

    private let settings: Settings
    private var firstFailure: ContinuousClock.Instant?
    private var pause: Duration
    private var isProbing = false
    /// Counts the changes of state, so that a call from before the last one says nothing about now.
    private var epoch: UInt64 = 0

    public init(settings: Settings = Settings()) {
        self.settings = settings
        pause = settings.pause
    }

    /// Somebody wants to call the host.
    public mutating func ask(now: ContinuousClock.Instant) -> Decision {
        switch state {
        case .closed:
            return .call(Permit(epoch: epoch, isProbe: false))
        case .open(let until) where now < until:
            return .refuse(retryAfter: now.duration(to: until))
        case .open:
            change(to: .halfOpen)
            return probe()
        case .halfOpen:
            return isProbing ? .refuse(retryAfter: .zero) : probe()
        }
    }

    /// A permitted call has ended.
    public mutating func ended(_ permit: Permit, _ outcome: Outcome, now: ContinuousClock.Instant) {
        guard permit.epoch == epoch else { return }
        if permit.isProbe { isProbing = false }
        switch outcome {
        case .answered:
            failuresInARow = 0
            firstFailure = nil
            pause = settings.pause
            if permit.isProbe { change(to: .closed) }
        case .failed:
            failuresInARow += 1
            let first = firstFailure ?? now
            firstFailure = first
            if permit.isProbe {
                pause = min(pause * 2, settings.longestPause)
                change(to: .open(until: now + pause))
            } else if settings.failures > 0, failuresInARow >= settings.failures, first + settings.blip <= now {
                change(to: .open(until: now + pause))
            }
        case .unknown:
            break
        }
    }

    private mutating func probe() -> Decision {
        isProbing = true
        return .call(Permit(epoch: epoch, isProbe: true))
    }

    private mutating func change(to state: State) {
        self.state = state
        epoch += 1
        isProbing = false
    }
}
