import Envelope
import MessageBus
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct TapCrowdTests {
    private static let taps = 20
    private static let events = 2_500
    /// The number of events between two taps, and the limit of events ahead of a reader: far below the size of a pipe.
    private static let step = 100

    /// The readers set the pace, so that no event is lost by a full pipe on a slow machine.
    @Test(arguments: BusKind.allCases)
    func `twenty taps that join during publishing get every event once and in order`(
        kind: BusKind
    ) async throws {
        try await BusScene.run(kind) { scene in
            try await scene.withBroker {
                try await scene.withBus("talker/1") { talker in
                    try await scene.withBus("taps/1") { bus in
                        let pace = try await bus.subscribe()
                        try await withThrowingTaskGroup(of: Seen.self) { group in
                            var published = 0
                            var joined = 0
                            while published < Self.events {
                                for number in published..<published + Self.step { talker.publish(.numbered(number)) }
                                published += Self.step
                                if joined < Self.taps {
                                    joined += 1
                                    let past = joined.isMultiple(of: 2) ? 500 : 0
                                    group.addTask { try await Self.watch(bus, past: past) }
                                }
                                try await pace.skip(toNumber: published - 1)
                            }
                            for try await seen in group {
                                #expect(seen.lost == 0)
                                #expect(seen.isConsecutive, "each once and in order")
                                #expect(seen.last == Self.events - 1)
                            }
                            #expect(joined == Self.taps)
                        }
                        await pace.close()
                    }
                }
            }
        }
    }

    private struct Seen {
        var last: Int?
        var sequence: UInt64?
        var lost = 0
        var isConsecutive = true
    }

    /// Reads from the subscription to the last event.
    private static func watch(_ bus: MessageBus, past: Int) async throws -> Seen {
        let stream = try await bus.subscribe(last: past)
        var seen = Seen()
        while seen.last != events - 1, let (event, lost) = try await stream.next() {
            seen.lost += lost
            if let sequence = seen.sequence, event.stamp.sequence != sequence + 1 { seen.isConsecutive = false }
            seen.sequence = event.stamp.sequence
            guard let number = event.event.number else { continue }
            if let last = seen.last, number != last + 1 { seen.isConsecutive = false }
            seen.last = number
        }
        await stream.close()
        return seen
    }
}
