import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(1))) struct AlarmTests {
    @Test func anAlarmMovedForwardWhileWaitingRingsThen() async throws {
        try await withContext { context in
            let alarm = Alarm(on: context.loop)
            alarm.set(.now + .seconds(3600))
            async let rang = alarm.wait()
            alarm.set(.now)
            #expect(await rang)
        }
    }

    @Test func anAlarmThatWasSetBeforeTheWaitRingsAtOnce() async throws {
        try await withContext { context in
            let alarm = Alarm(on: context.loop)
            alarm.set(.now - .seconds(1))
            #expect(await alarm.wait())
        }
    }

    @Test func aCancelledWaitSaysSo() async throws {
        try await withContext { context in
            let alarm = Alarm(on: context.loop)
            await withTaskGroup(of: Bool.self) { group in
                group.addTask { await alarm.wait() }
                group.cancelAll()
                #expect(await group.next() == false)
            }
        }
    }

    @Test func anAlarmNeverRingsEarly() async throws {
        try await withContext { context in
            let alarm = Alarm(on: context.loop)
            let due = ContinuousClock.now + .milliseconds(3)
            alarm.set(due)
            #expect(await alarm.wait())
            #expect(ContinuousClock.now >= due)
        }
    }
}
