/// Those who read a stream of changes; one that does not read keeps the latest 64.
struct Observers<Element: Sendable> {
    private var continuations: [UInt64: AsyncStream<Element>.Continuation] = [:]

    /// - Parameter onEnd: is called when the stream is no longer read.
    mutating func add(
        _ id: UInt64, onEnd: @escaping @Sendable () -> Void
    ) -> (stream: AsyncStream<Element>, continuation: AsyncStream<Element>.Continuation) {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(64))
        continuations[id] = continuation
        continuation.onTermination = { _ in onEnd() }
        return (stream, continuation)
    }

    mutating func remove(_ id: UInt64) {
        continuations[id] = nil
    }

    func yield(_ element: Element) {
        for continuation in continuations.values { continuation.yield(element) }
    }
}
