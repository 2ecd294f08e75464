internal import MessageBus
internal import Synchronization

/// What a fetch must keep to.
public struct FetchTerms: Sendable {
    let deadline: ContinuousClock.Instant
    /// False when cache-store is unavailable.
    let isCounted: Bool
    /// The first call, if it was counted with the lease.
    let firstCall: CountedCall?
    /// The query of the fetch, with the highest class of the requests that wait for it by now.
    let trace: @Sendable () async -> Trace
}

/// A call that has been counted in advance, and is made once.
final class CountedCall: Sendable {
    private let isTaken = Atomic(false)

    /// - Returns: false when it has been taken.
    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
