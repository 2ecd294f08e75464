import PollLoop
import Testing

@Suite(.timeLimit(.minutes(1))) struct AlarmTests {
    @Test func `an alarm moved forward during a wait rings at the new time`() async throws {
        let loop = try PollLoop()
        try await loop.withRunning {
            let alarm = Alarm(on: loop)
            alarm.ring(by: .now + .seconds(3600))
            async let rang = alarm.wait()
            alarm.ring(by: .now)
            #expect(await rang)
        }
    }

    @Test func `an alarm that was due before the wait rings at once`() async throws {
        let loop = try PollLoop()
        try await loop.withRunning {
            let alarm = Alarm(on: loop)
            alarm.ring(by: .now - .seconds(1))
            #expect(await alarm.wait())
        }
    }

    @Test func `a cancelled wait returns false`() async throws {
        let loop = try PollLoop()
        try await loop.withRunning {
            let alarm = Alarm(on: loop)
            await withTaskGroup(of: Bool.self) { group in
                group.addTask { await alarm.wait() }
                group.cancelAll()
                #expect(await group.next() == false)
            }
        }
    }

    @Test func `an alarm never rings early`() async throws {
        let loop = try PollLoop()
        try await loop.withRunning {
            let alarm = Alarm(on: loop)
            let due = ContinuousClock.now + .milliseconds(3)
            alarm.ring(by: due)
            #expect(await alarm.wait())
            #expect(ContinuousClock.now >= due)
        }
    }

    @Test func `a cancellation at any moment ends the wait`() async throws {
        let loop = try PollLoop()
        try await loop.withRunning {
            // Cancelled sooner or later after the start: before, while and after the wait is registered.
            for spins in 0..<3000 {
                let alarm = Alarm(on: loop)
                await withTaskGroup(of: Bool.self) { group in
                    group.addTask { await alarm.wait() }
                    for _ in 0..<spins % 60 { await Task.yield() }
                    group.cancelAll()
                    let rang = await group.next()
                    #expect(rang == false)
                }
            }
        }
    }
}
