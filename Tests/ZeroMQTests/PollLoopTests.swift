import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(1))) struct PollLoopTests {
    @Test func `a task that prefers the loop runs on its thread`() async throws {
        try await withContext { context in
            let loop = context.loop
            #expect(loop.isIsolatingCurrentContext() == false)
            let isOnLoop = await withTaskGroup(of: Bool?.self) { group in
                group.addTask(executorPreference: loop.tasks) { loop.isIsolatingCurrentContext() }
                return await group.next()
            }
            #expect(isOnLoop == true)
        }
    }
}
