import Envelope
import Testing

@testable import FetcherKit

@Suite(.timeLimit(.minutes(1))) struct AsyncSemaphoreTests {
    private actor Order {
        private(set) var names: [Int] = []
        func note(_ name: Int) { names.append(name) }
    }

    @Test func `waiters get the slot one by one, in order of arrival`() async throws {
        let slots = AsyncSemaphore(1)
        let order = Order()
        try await slots.acquire(by: .now + .seconds(30))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in 1...5 {
                group.addTask {
                    try await slots.acquire(by: .now + .seconds(30))
                    await order.note(name)
                    await slots.release()
                }
                while await slots.waiterCount < name { await Task.yield() }
            }
            await slots.release()
            try await group.waitForAll()
        }
        #expect(await order.names == [1, 2, 3, 4, 5])
    }

    @Test func `as many callers as slots are admitted at once`() async throws {
        let slots = AsyncSemaphore(3)
        for _ in 1...3 { try await slots.acquire(by: .now) }
        await #expect(throws: Failure.tooManyFetches) { try await slots.acquire(by: .now) }
        await slots.release()
        try await slots.acquire(by: .now)
    }

    @Test func `a wait that times out takes no slot`() async throws {
        let slots = AsyncSemaphore(1)
        try await slots.acquire(by: .now)
        await #expect(throws: Failure.tooManyFetches) { try await slots.acquire(by: .now + .milliseconds(20)) }
        #expect(await slots.waiterCount == 0)
        await slots.release()
        try await slots.acquire(by: .now)
    }

    @Test func `a cancelled wait takes no slot`() async throws {
        let slots = AsyncSemaphore(1)
        try await slots.acquire(by: .now)
        let waiting = Task { try await slots.acquire(by: .now + .seconds(30)) }
        while await slots.waiterCount < 1 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await slots.release()
        try await slots.acquire(by: .now)
    }
}
