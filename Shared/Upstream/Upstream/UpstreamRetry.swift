/// Retry policy for an upstream: bounded, with full jitter, within the deadline of the caller.
///
/// Only errors with `isRetryable` are retried, except refusals of an open circuit breaker. If too little time is left for a
/// pause and a usual call, the failure is thrown immediately: an attempt that cannot end costs quota.
public struct UpstreamRetry: Sendable {
    /// Maximum number of requests, including the first. Each one costs quota, so that a slow answer is waited for: an
    /// attempt ends at the deadline only.
    public var attempts: Int = 3
    /// The time for all attempts and pauses together when the caller grants less.
    public var budget: Duration = .seconds(4)
    /// How long a call usually takes at most: no call is begun when less time is left, and one of several images has no
    /// more.
    public var usualAttempt: Duration = .milliseconds(1500)
    /// The longest pause after the first attempt; it doubles with each attempt.
    public var pause: Duration = .milliseconds(200)

    private let now: @Sendable () -> ContinuousClock.Instant
    private let sleep: @Sendable (Duration) async throws -> Void
    private let fraction: @Sendable () -> Double

    /// - Parameters:
    ///   - now: The time on the monotonic clock.
    ///   - sleep: Waits; throws `CancellationError` when the task is cancelled.
    ///   - fraction: A random number in 0..<1, multiplied by the longest pause.
    public init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        fraction: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.now = now
        self.sleep = sleep
        self.fraction = fraction
    }

    /// Runs the attempt until it succeeds, fails permanently, or the time or the attempts are used up.
    ///
    /// - Parameter attempt: Receives its deadline and must keep it.
    package func run<Answer>(
        upstream: String, deadline: ContinuousClock.Instant,
        attempt: (ContinuousClock.Instant) async throws -> Answer
    ) async throws -> Answer {
        var number = 1
        var failure = UpstreamError(.timeout, "No time was left to ask \(upstream).")
        while number <= max(1, attempts), now() < deadline {
            do {
                return try await attempt(deadline)
            } catch let error as UpstreamError where error.isRetryable && error.code != .unavailable {
                failure = error
            } catch let error where number > 1 && !(error is UpstreamError) && !(error is CancellationError) {
                // A retry that could not be made, such as one that was not counted, is no answer of the upstream.
                break
            }
            let delay = pause * (1 << min(number - 1, 16)) * fraction()
            guard number < attempts, now() + delay + usualAttempt <= deadline else { break }
            try await sleep(delay)
            number += 1
        }
        throw failure
    }
}
