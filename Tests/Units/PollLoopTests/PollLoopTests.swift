import PollLoop
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite(.timeLimit(.minutes(1))) struct PollLoopTests {
    @Test func `a task that prefers the loop runs on its thread`() async throws {
        let loop = try PollLoop()
        try await loop.withRunning {
            #expect(!loop.isOnLoop)
            let isOnLoop = await withTaskGroup(of: Bool.self) { group in
                group.addTask(executorPreference: loop.tasks) { loop.isOnLoop }
                return await group.next()
            }
            #expect(isOnLoop == true)
        }
    }

    @Test func `a wait for a plain descriptor ends when there is something to read, or room to write`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let (reader, writer) = (Readiness(descriptor: ends[0]), Readiness(descriptor: ends[1]))
        let loop = try PollLoop()
        let (reading, writing, data) = (loop.makeID(), loop.makeID(), ends[1])
        try await loop.withRunning {
            #expect(await loop.wait(id: reading, for: .readable(reader), until: { .now }) == .deadlinePassed)
            #expect(await loop.wait(id: writing, for: .writable(writer)) == .ready)
            async let outcome = loop.wait(id: reading, for: .readable(reader))
            #expect(write(data, "a", 1) == 1)
            #expect(await outcome == .ready)
        }
    }
}
