import Envelope
import MessageBus
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventTests {
    @Test func aSubscriberSeesPastAndLiveEventsEachOnceAndInOrder() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withBus("talker/1") { talker in
                    for number in 0..<20 { talker.publish(.numbered(number)) }
                    try await scene.withBus("tap/1") { bus in
                        // The first tap is only the signal that the early events are in the ring.
                        let probe = try await bus.subscribe(last: 10_000)
                        try await probe.skip(toNumber: 19)
                        await probe.close()

                        let stream = try await bus.subscribe(last: 10_000)
                        for number in 20..<40 { talker.publish(.numbered(number)) }
                        var numbers: [Int] = []
                        while numbers.last != 39, let (event, lost) = try await stream.next() {
                            #expect(lost == 0)
                            if let number = event.event.number { numbers.append(number) }
                        }
                        await stream.close()
                        #expect(numbers == Array(0..<40))
                    }
                }
            }
        }
    }

    @Test func aReaderThatStoodStillMissesNothingThatTheRingStillHas() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withBus("tap/1") { bus in
                    let stream = try await bus.subscribe()
                    // Longer than the broker takes a reader that says nothing to be there.
                    let end = ContinuousClock.now + EventStream.lease + .milliseconds(200)
                    var asked = 0
                    var published = 0
                    while .now < end {
                        // Not so many that the ring forgets the first.
                        if asked.isMultiple(of: 50) {
                            bus.publish(.numbered(published))
                            published += 1
                        }
                        asked += 1
                        _ = try await bus.inspect("mmi.ping", deadline: end + .seconds(10))
                    }
                    bus.publish(.numbered(published))
                    var numbers: [Int] = []
                    while numbers.last != published, let (event, lost) = try await stream.next() {
                        #expect(lost == 0)
                        if let number = event.event.number { numbers.append(number) }
                    }
                    await stream.close()
                    #expect(numbers == Array(0...published))
                }
            }
        }
    }

    @Test func withoutPastTheStreamBeginsNow() async throws {
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withBus("tap/1") { bus in
                    let stream = try await bus.subscribe()
                    bus.publish(.numbered(7))
                    try await stream.skip(toNumber: 7)
                    #expect(await stream.nextPast() == nil)
                    await stream.close()
                }
            }
        }
    }
}
