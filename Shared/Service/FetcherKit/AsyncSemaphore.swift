internal import Contracts
internal import DequeModule
internal import Envelope
internal import Localization

/// Limits the concurrent upstream fetches of an instance; the others wait for a slot.
///
/// A fetch keeps its slot during its retries. Slots are granted in order of arrival.
actor AsyncSemaphore {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private var free: Int
    private var waiters: Deque<Waiter> = []
    private var lastID = 0
    /// Waiters whose deadline passed before they were queued.
    private var timedOut: Set<Int> = []

    var waiterCount: Int { waiters.count }
    var hasRoom: Bool { free > 0 }

    init(_ count: Int) {
        free = count
    }

    /// Waits for a slot; the caller must `release()` it.
    ///
    /// - Throws: `Failure` `overloaded` when no slot is free by the deadline; `CancellationError`.
    func acquire(by deadline: ContinuousClock.Instant) async throws {
        guard await acquireSlot(by: deadline) else {
            try Task.checkCancellation()
            throw Failure.tooManyFetches
        }
    }

    func release() {
        if let next = waiters.popFirst() {
            next.continuation.resume(returning: true)
        } else {
            free += 1
        }
    }

    private func acquireSlot(by deadline: ContinuousClock.Instant) async -> Bool {
        if free > 0 {
            free -= 1
            return true
        }
        lastID += 1
        let id = lastID
        return await withTaskGroup(of: Bool?.self) { group in
            group.addTask { await self.waitForSlot(id) }
            group.addTask {
                // Only cancellation ends the sleep early, and it ends the wait, too.
                try? await Task.sleep(until: deadline, clock: .continuous)
                await self.abandonWait(id)
                return nil
            }
            var isAcquired = false
            for await result in group {
                guard let result else { continue }
                isAcquired = result
                group.cancelAll()
            }
            timedOut.remove(id)
            return isAcquired
        }
    }

    private func waitForSlot(_ id: Int) async -> Bool {
        if timedOut.contains(id) { return false }
        // A slot may have become free since the check in `acquireSlot`.
        if free > 0 {
            free -= 1
            return true
        }
        return await withCheckedContinuation { waiters.append(Waiter(id: id, continuation: $0)) }
    }

    private func abandonWait(_ id: Int) {
        timedOut.insert(id)
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(returning: false)
    }
}

extension Failure {
    static let tooManyFetches = Failure(
        .overloaded,
        LocalizedText(
            ko: "업스트림에 물을 차례가 제때 오지 않았습니다. 잠시 뒤에 다시 시도하세요.",
            en: "Too many fetches wait for their turn at the upstream. Try again in a moment."),
        isRetryable: true)
}
