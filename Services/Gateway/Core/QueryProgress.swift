import Synchronization

/// What a query waits for, told to whoever shows it while it changes.
public final class QueryProgress: Sendable {
    /// The latest state; what nobody looked at in time is passed over. Ends with `finish`.
    public let updates: AsyncStream<AwaitedParts>
    private let continuation: AsyncStream<AwaitedParts>.Continuation
    private let parts = Mutex(AwaitedParts())

    public init() {
        (updates, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func asked(_ kind: AwaitedParts.Kind) { change { $0.asked(kind) } }
    func ended(_ kind: AwaitedParts.Kind) { change { $0.ended(kind) } }
    public func finish() { continuation.finish() }

    private func change(_ body: (inout AwaitedParts) -> Void) {
        parts.withLock { parts in
            body(&parts)
            continuation.yield(parts)
        }
    }
}
