internal import Synchronization
public import Testing

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Asks a test again that has failed, twice at most; how it failed before is told as a known issue.
///
/// For tests of what has limits in real time. Machines are shared: one that gets no CPU for two seconds lets a limit of 1.5 s
/// pass, and rightly so. A test throws `BrokenPromise` for what no such pause explains. All tests of a run share the retries,
/// `BOXOFFICE_TEST_RETRIES` or ten, so that what is broken fails soon; all tries of a test share its time limit, and its
/// suite's stack.
public struct RetryTrait: TestTrait, SuiteTrait, TestScoping {
    private static let retriesOfARun = Mutex(
        ProcessInfo.processInfo.environment["BOXOFFICE_TEST_RETRIES"].flatMap(Int.init) ?? 10)

    /// Each test of a suite by itself.
    public var isRecursive: Bool { true }

    public func provideScope(
        for _: Test, testCase _: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        for attempt in 1...2 where Self.isRetryLeft {
            let hasFailed = Atomic(false)
            try await withKnownIssue("try \(attempt), which is not the last", isIntermittent: true) {
                try await function()
            } matching: { issue in
                guard !(issue.error is BrokenPromise) else { return false }
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
