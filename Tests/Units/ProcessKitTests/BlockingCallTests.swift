import Dispatch
import ProcessKit
import Testing

@Suite struct BlockingCallTests {
    /// The calls end only when all of them have begun, which this task, of the cooperative pool, has to see.
    @Test(.timeLimit(.minutes(1))) func `blocked calls take no threads from tasks or from one another`() async {
        let (count, end) = (128, DispatchSemaphore(value: 0))
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { calls in
            for _ in 0..<count {
                calls.addTask {
                    await runBlocking {
                        beginning.yield()
                        end.wait()
                    }
                }
            }
            var running = 0
            for await _ in begun {
                running += 1
                if running == count { break }
            }
            for _ in 0..<count { end.signal() }
        }
    }

    @Test func `the error of the call is thrown`() async {
        struct Fault: Error, Equatable {}
        await #expect(throws: Fault()) { try await runBlocking { throw Fault() } }
    }
}
