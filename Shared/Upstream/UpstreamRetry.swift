/// How often and how long an upstream is asked again: bounded, with full jitter, inside the caller's deadline.
///
/// Only what says `isRetriable` is repeated, and not what an open circuit breaker has refused. A pause that would outlast the time left is not begun: the failure is told
/// at once.
public struct UpstreamRetry: Sendable {
    /// What one attempt may take.
    public var attemptTimeout: Duration = .milliseconds(1500)
    /// How many requests are sent at most, the first included. Each one costs quota.
    public var attempts: Int = 3
    /// What all attempts and pauses may take together, however late the deadline is.
    public var budget: Duration = .seconds(4)
    /// The longest pause after the first attempt; it doubles with each attempt.
    public var pause: Duration = .milliseconds(200)

    private let now: @Sendable () -> ContinuousClock.Instant
    private let sleep: @Sendable (Duration) async throws -> Void
    private let fraction: @Sendable () -> Double

    /// - Parameters:
    ///   - now: The time on the monotonic clock.
    ///   - sleep: Waits; throws `CancellationError` when the task is cancelled.
    ///   - fraction: A random number in 0..<1: which part of the longest pause is taken.
    public init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        fraction: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.now = now
        self.sleep = sleep
        self.fraction = fraction
    }

    /// Runs the attempt until it succeeds, fails for good, or the time or the attempts are used up.
    ///
    /// - Parameter attempt: Gets the deadline that it has to keep by itself.
    func run<Answer>(
        upstream: String, deadline: ContinuousClock.Instant,
        attempt: (ContinuousClock.Instant) async throws -> Answer
    ) async throws -> Answer {
        let end = min(deadline, now() + budget)
        var number = 1
        var failure = UpstreamError(.timeout, "No time was left to ask \(upstream).")
        while number <= max(1, attempts), now() < end {
            do {
                return try await attempt(min(end, now() + attemptTimeout))
            } catch let error as UpstreamError where error.isRetriable && error.code != .unavailable {
                failure = error
            }
            let rest = pause * (1 << min(number - 1, 16)) * fraction()
            guard number < attempts, now() + rest < end else { break }
            try await sleep(rest)
            number += 1
        }
        throw failure
    }
}
