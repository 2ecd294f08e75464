internal import Synchronization

/// The end of something that must be awaited, also by a task that was cancelled.
///
/// The iteration of an `AsyncStream` ends with its task's cancellation.
public final class Completion: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Void, Never>)
        case complete
    }

    private let state = Mutex(State.open)

    public init() {}

    public func complete() {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            defer { state = .complete }
            if case .awaited(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume()
    }

    /// Returns once it is complete; one task waits.
    public func wait() async {
        await withCheckedContinuation { continuation in
            let isComplete = state.withLock { state in
                if case .complete = state { return true }
                state = .awaited(continuation)
                return false
            }
            if isComplete { continuation.resume() }
        }
    }
}
