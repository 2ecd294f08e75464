import Testing

@testable import CacheStoreCore

@Suite(.timeLimit(.minutes(1))) struct LeaseTableTests {
    private let deadline = ContinuousClock.now + .seconds(3600)

    private func withTable(_ body: (LeaseTable) async throws -> Void) async throws {
        let table = LeaseTable(epoch: 7)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await table.run() }
            try await body(table)
            group.cancelAll()
        }
    }

    private func ask(_ table: LeaseTable, _ key: String, _ holder: String) async -> LeaseTable.Outcome {
        await table.ask(key, holder: holder, deadline: deadline)
    }

    /// The wait must end whether it began before or after the shutdown.
    @Test(arguments: 0..<20) func `waiting requests end when the store shuts down`(_ round: Int) async throws {
        try await withTable { table in
            guard case .granted = await ask(table, "a", "holder/1") else {
                Issue.record("the first request is granted the lease")
                return
            }
            async let waiting = ask(table, "a", "holder/2")
            await table.shutDown()
            guard case .shuttingDown = await waiting else {
                Issue.record("\(await waiting)")
                return
            }
        }
    }

    @Test func `a store that shuts down still grants and completes leases`() async throws {
        try await withTable { table in
            await table.shutDown()
            guard case .granted(let lease) = await ask(table, "a", "holder/1") else {
                Issue.record("no other instance holds the lease")
                return
            }
            #expect(await table.renew("a", lease: lease))
            await table.complete("a", lease: lease)
            #expect(await table.renew("a", lease: lease) == false)
        }
    }
}
