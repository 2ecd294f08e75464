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

    private func asked(_ table: LeaseTable, _ key: String, _ holder: String) async -> LeaseTable.Outcome {
        await table.ask(key, holder: holder, deadline: deadline)
    }

    /// A table that leaves must answer the wait whether it began before or after.
    @Test(arguments: 0..<20) func whoWaitsIsLetGoWhenTheStoreLeaves(_ round: Int) async throws {
        try await withTable { table in
            guard case .granted = await asked(table, "a", "holder/1") else {
                Issue.record("the first to ask is given the lease")
                return
            }
            async let waiting = asked(table, "a", "holder/2")
            await table.leave()
            guard case .leaving = await waiting else {
                Issue.record("\(await waiting)")
                return
            }
        }
    }

    @Test func aStoreThatLeavesStillGrantsAndCompletesLeases() async throws {
        try await withTable { table in
            await table.leave()
            guard case .granted(let lease) = await asked(table, "a", "holder/1") else {
                Issue.record("nobody else holds the lease")
                return
            }
            #expect(await table.renew("a", lease: lease))
            await table.complete("a", lease: lease)
            #expect(await table.renew("a", lease: lease) == false)
        }
    }
}
