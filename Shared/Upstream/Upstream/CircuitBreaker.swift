/// Stops calls to a host that does not answer.
///
/// A pure value: calls and time are inputs, decisions are outputs. Closed: every call is permitted. Many consecutive
/// failures over more than a blip open it: all calls are refused for a while. Then one call probes the host while all
/// others are still refused (half-open): its success closes the breaker, its failure opens it for twice as long.
public struct CircuitBreaker: Sendable {
    public struct Settings: Sendable, Hashable {
        /// Consecutive failed calls that open it; 0 keeps it closed permanently.
        public var failures = 10
        /// Minimum duration of the consecutive failures: retries cover shorter blips.
        public var blip: Duration = .seconds(1)
        /// First duration of the open state; doubled after each failed probe.
        public var pause: Duration = .seconds(2)
        public var longestPause: Duration = .seconds(30)

        public init() {}
    }

    public enum State: Sendable, Hashable {
        case closed
        case open(until: ContinuousClock.Instant)
        /// A probe is pending, or the next call will be one.
        case halfOpen
    }

    /// Permission for one call, to be returned with its outcome.
    public struct Permit: Sendable, Hashable {
        fileprivate let epoch: UInt64
        fileprivate let isProbe: Bool
    }

    public enum Decision: Sendable, Hashable {
        case call(Permit)
        /// - Parameter retryAfter: time until the next call may be permitted; zero while a probe is pending.
        case refuse(retryAfter: Duration)
    }

    public enum Outcome: Sendable {
        /// The host answered, even if with a refusal.
        case answered
        /// No answer, or a server error.
        case failed
        /// No result: the call was cancelled or never made.
        case unknown
    }

    public private(set) var state = State.closed
    /// Failed calls since the last answered call.
    public private(set) var failuresInARow = 0

    private let settings: Settings
    private var firstFailure: ContinuousClock.Instant?
    private var pause: Duration
    private var isProbing = false
    /// Counts state changes: the outcome of a call from before the last change is ignored.
    private var epoch: UInt64 = 0

    public init(settings: Settings = Settings()) {
        self.settings = settings
        pause = settings.pause
    }

    /// Decides whether a call to the host is permitted.
    public mutating func requestPermit(now: ContinuousClock.Instant) -> Decision {
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

    /// A permitted call ended.
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
