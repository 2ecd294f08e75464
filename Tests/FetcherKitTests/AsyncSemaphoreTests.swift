import Envelope
import Testing

@testable import FetcherKit

@Suite(.timeLimit(.minutes(1))) struct AsyncSemaphoreTests {
    private actor Order {
        private(set) var names: [Int] = []
        func note(_ name: Int) { names.append(name) }
    }

    @Test func `who comes first goes first, one after the other`() async throws {
        let slots = AsyncSemaphore(1)
        let order = Order()
        try await slots.take(by: .now + .seconds(30))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in 1...5 {
                group.addTask {
                    try await slots.take(by: .now + .seconds(30))
                    await order.note(name)
                    await slots.give()
                }
                while await slots.waiting < name { await Task.yield() }
            }
            await slots.give()
            try await group.waitForAll()
        }
        #expect(await order.names == [1, 2, 3, 4, 5])
    }

    @Test func `as many as there are slots go at once`() async throws {
        let slots = AsyncSemaphore(3)
        for _ in 1...3 { try await slots.take(by: .now) }
        await #expect(throws: Failure.tooManyFetches) { try await slots.take(by: .now) }
        await slots.give()
        try await slots.take(by: .now)
    }

    @Test func `whose time is over takes nobody's turn`() async throws {
        let slots = AsyncSemaphore(1)
        try await slots.take(by: .now)
        await #expect(throws: Failure.tooManyFetches) { try await slots.take(by: .now + .milliseconds(20)) }
        #expect(await slots.waiting == 0)
        await slots.give()
        try await slots.take(by: .now)
    }

    @Test func `a wait that is cancelled takes nobody's turn`() async throws {
        let slots = AsyncSemaphore(1)
        try await slots.take(by: .now)
        let waiting = Task { try await slots.take(by: .now + .seconds(30)) }
        while await slots.waiting < 1 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await slots.give()
        try await slots.take(by: .now)
    }
}
