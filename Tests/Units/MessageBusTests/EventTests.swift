import Envelope
import Majordomo
import MessageBus
import TestSupport
import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(1))) struct EventTests {
    @Test(arguments: BusKind.allCases)
    func `a subscriber gets past and live events once each and in order`(
        kind: BusKind
    ) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                try await scene.withBus("talker/1") { talker in
                    for number in 0..<20 { talker.publish(.numbered(number)) }
                    try await scene.withBus("tap/1") { bus in
                        // The first tap only signals that the early events are in the ring.
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

    @Test(arguments: BusKind.allCases)
    func `a reader that polls gets each event once and in order`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                try await scene.withBus("talker/1") { talker in
                    try await scene.withBus("archive/1") { bus in
                        let stream = try await bus.poll(every: .milliseconds(20))
                        // More than a page.
                        for number in 0..<600 { talker.publish(.numbered(number)) }
                        var numbers: [Int] = []
                        while numbers.last != 599, let (event, lost) = try await stream.next() {
                            #expect(lost == 0)
                            if let number = event.event.number { numbers.append(number) }
                        }
                        #expect(numbers == Array(0..<600))
                        guard case .quiet = try await stream.next(until: .now) else {
                            return #expect(Bool(false), "there are no more events")
                        }
                        await stream.close()
                    }
                }
            }
        }
    }

    @Test func `a reader that polls sees another broker, and what it has published`() async throws {
        try await BusScene.run { scene in
            try await scene.withBus("archive/1") { bus in
                var stream: (any EventStream)?
                try await scene.withBroker { stream = try await bus.poll(every: .milliseconds(20)) }
                try await scene.withBroker {
                    try await scene.withBus("talker/1") { talker in
                        talker.publish(.numbered(7))
                        var (isRestored, number) = (false, Int?.none)
                        while number != 7, let arrival = try await stream?.next(until: .now + .seconds(20)) {
                            switch arrival {
                            case .connection(.restored): isRestored = true
                            case .event(let event, _): number = event.event.number
                            case .connection(.lost), .quiet, .closed: break
                            }
                        }
                        #expect(isRestored)
                    }
                }
            }
        }
    }

    @Test func `events of one interval are sent in one message`() async throws {
        try await BusScene.run { scene in
            try await withContext { context in
                try await withSocket(.pull, in: context) { broker in
                    try await broker.bind(scene.endpoints.eventsIn)
                    try await scene.withBus("talker/1") { talker in
                        // On a busy machine the interval may end between two of them, but not every time.
                        var sizes: [Int] = []
                        while sizes.last != 2, sizes.count < 500 {
                            talker.publish(.numbered(0))
                            _ = try await broker.receive()
                            talker.publish(.numbered(1))
                            // The immediate message has been sent.
                            await Task(executorPreference: talker.executor) {
                                for _ in 0..<20 { await Task.yield() }
                            }.value
                            talker.publish(.numbered(2))
                            let first = try #require(try await broker.receive()).count
                            if first == 1 { _ = try await broker.receive() }
                            sizes.append(first)
                        }
                        #expect(sizes.last == 2)
                    }
                }
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `a suspended reader misses no event that the ring still contains`(
        kind: BusKind
    ) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                try await scene.withBus("tap/1") { bus in
                    let stream = try await bus.subscribe()
                    let last = try await bus.publishNumbers(from: 0, for: Self.longerThanALease)
                    #expect(try await stream.readNumbers(upTo: last) == Array(0...last))
                    await stream.close()
                }
            }
        }
    }

    @Test(arguments: BusKind.allCases)
    func `a reader that is suspended while the broker is replaced misses no new event`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBus("tap/1") { bus in
                var opened: (any EventStream)?
                try await scene.withBroker {
                    opened = try await bus.subscribe()
                    try await scene.withBus("talker/1") { talker in
                        _ = try await talker.publishNumbers(from: 0, for: .zero)
                    }
                }
                let stream = try #require(opened)
                try await scene.withBroker {
                    try await scene.withBus("talker/2") { talker in
                        let last = try await talker.publishNumbers(from: 2, for: Self.longerThanALease)
                        let numbers = try await stream.readNumbers(upTo: last)
                        // Of the old broker's events it gets those that were sent before its end.
                        #expect(numbers.drop { $0 < 2 } == Array(2...last)[...])
                    }
                }
                await stream.close()
            }
        }
    }

    /// Longer than the time after which the broker considers a silent reader disconnected.
    private static let longerThanALease = SubscriptionTiming.lease + .milliseconds(200)

    @Test(arguments: BusKind.allCases)
    func `a stream without past events begins now`(kind: BusKind) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                try await scene.withBus("tap/1") { bus in
                    let stream = try await bus.subscribe()
                    bus.publish(.numbered(7))
                    try await stream.skip(toNumber: 7)
                    #expect(await stream.nextPastEvent() == nil)
                    await stream.close()
                }
            }
        }
    }
}

extension MessageBus {
    /// Publishes numbers for a duration, paced by pings so that the broker's ring keeps the first, and then one more.
    ///
    /// - Returns: The last number.
    fileprivate func publishNumbers(from first: Int, for duration: Duration) async throws -> Int {
        let end = ContinuousClock.now + duration
        var next = first
        var asked = 0
        repeat {
            // The first answer confirms the connection to the broker.
            try await ping(deadline: end + .seconds(10))
            if asked.isMultiple(of: 50) {
                publish(.numbered(next))
                next += 1
            }
            asked += 1
        } while .now < end
        publish(.numbered(next))
        // The returned event confirms the event connection.
        let probe = try await subscribe(last: 10_000)
        try await probe.skip(toNumber: next)
        await probe.close()
        return next
    }
}

extension EventStream {
    /// Reads the numbers up to `last`; a lost event is an issue.
    fileprivate func readNumbers(upTo last: Int) async throws -> [Int] {
        var numbers: [Int] = []
        while numbers.last != last, let (event, lost) = try await next() {
            #expect(lost == 0)
            if let number = event.event.number { numbers.append(number) }
        }
        return numbers
    }
}
