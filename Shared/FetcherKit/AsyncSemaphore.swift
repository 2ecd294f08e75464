internal import Contracts
internal import DequeModule
internal import Envelope
internal import Localization

/// Bounds how many fetches of an instance are at its upstream at once; the others wait their turn.
///
/// A fetch keeps its slot over its retries. Who comes first goes first.
actor AsyncSemaphore {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private var free: Int
    private var waiters: Deque<Waiter> = []
    private var lastID = 0
    /// Those whose time was over before they had begun to wait.
    private var givenUp: Set<Int> = []

    /// How many wait for their turn.
    var waiting: Int { waiters.count }

    init(_ count: Int) {
        free = count
    }

    /// Waits for a slot, which is to be given back.
    ///
    /// - Throws: `Failure` `overloaded` when none is free by the deadline; `CancellationError`.
    func take(by deadline: ContinuousClock.Instant) async throws {
        guard await isTaken(by: deadline) else {
            try Task.checkCancellation()
            throw Failure.tooManyFetches
        }
    }

    func give() {
        if let next = waiters.popFirst() {
            next.continuation.resume(returning: true)
        } else {
            free += 1
        }
    }

    private func isTaken(by deadline: ContinuousClock.Instant) async -> Bool {
        if free > 0 {
            free -= 1
            return true
        }
        lastID += 1
        let id = lastID
        return await withTaskGroup(of: Bool?.self) { group in
            group.addTask { await self.turn(of: id) }
            group.addTask {
                // Cut short by cancellation only, which ends the wait, too.
                try? await Task.sleep(until: deadline, clock: .continuous)
                await self.giveUp(id)
                return nil
            }
            var isTaken = false
            for await turn in group {
                guard let turn else { continue }
                isTaken = turn
                group.cancelAll()
            }
            givenUp.remove(id)
            return isTaken
        }
    }

    private func turn(of id: Int) async -> Bool {
        if givenUp.contains(id) { return false }
        // One may have become free between the look above and here.
        if free > 0 {
            free -= 1
            return true
        }
        return await withCheckedContinuation { waiters.append(Waiter(id: id, continuation: $0)) }
    }

    private func giveUp(_ id: Int) {
        givenUp.insert(id)
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
