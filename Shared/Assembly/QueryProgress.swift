internal import Synchronization

/// The parts that a query waits for, as a sequence of states.
public final class QueryProgress: Sendable {
    /// The latest state; a slow reader misses intermediate ones. Ends with `finish`.
    public let updates: AsyncStream<AwaitedParts>
    private let continuation: AsyncStream<AwaitedParts>.Continuation
    private let parts = Mutex(AwaitedParts())

    public init() {
        (updates, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func begin(_ kind: AwaitedParts.Kind) { change { $0.begin(kind) } }
    func end(_ kind: AwaitedParts.Kind) { change { $0.end(kind) } }
    public func finish() { continuation.finish() }

    private func change(_ body: (inout AwaitedParts) -> Void) {
        parts.withLock { parts in
            body(&parts)
            continuation.yield(parts)
        }
    }
}
