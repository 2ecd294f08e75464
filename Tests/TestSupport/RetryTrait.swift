internal import Synchronization
public import Testing

/// Asks a test again that has failed, twice at most; how it failed before is told as a known issue.
///
/// For tests of what has limits in real time. Machines are shared: one that gets no CPU for two seconds lets a limit of 1.5 s
/// pass, and rightly so. What is broken fails each time, and soon for good: all tests of a run share a few retries.
public struct RetryTrait: TestTrait, SuiteTrait, TestScoping {
    private static let retriesOfARun = Mutex(10)

    /// Each test of a suite by itself.
    public var isRecursive: Bool { true }

    public func provideScope(
        for _: Test, testCase _: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        for attempt in 1...2 where Self.isRetryLeft {
            let hasFailed = Atomic(false)
            try await withKnownIssue("try \(attempt), which is not the last", isIntermittent: true) {
                try await function()
            } matching: { _ in
                hasFailed.store(true, ordering: .relaxed)
                return true
            }
            guard hasFailed.load(ordering: .relaxed) else { return }
            // Out of time, and not to be asked again.
            try Task.checkCancellation()
            Self.retriesOfARun.withLock { $0 -= 1 }
        }
        try await function()
    }

    private static var isRetryLeft: Bool { retriesOfARun.withLock { $0 > 0 } }
}

extension Trait where Self == RetryTrait {
    /// Depends on limits in real time, which a machine's standstill may let pass: asked again when it fails.
    public static var retried: Self { RetryTrait() }
}
