import Envelope
import MessageBus
import TestSupport
import Testing
import ZeroMQ

@testable import BrokerCore

/// What goes out to subscribers, over real sockets and on a clock of the test's.
@Suite(.timeLimit(.minutes(1))) struct EventOutletTests {
    private static let joined: Message = [[1]]
    private static let left: Message = [[0]]

    /// - Returns: of each message that a subscriber got, the sequence of its first event and the events.
    private func received(
        upTo last: String, _ change: @Sendable (inout EventOutlet) -> Void
    ) async throws -> [(first: UInt64, events: [String])] {
        try await withContext { context in
            try await withSocket(.extendedPublisher, in: context) { publisher in
                try await publisher.bind("inproc://events")
                var options = SocketOptions()
                options.subscriptions = [[]]
                return try await withSocket(.subscriber, in: context, options: options) { subscriber in
                    try await subscriber.connect("inproc://events")
                    _ = try await publisher.receive()
                    await publisher.use(EventOutlet(ring: EventRing(epoch: 1), socket: publisher), change)
                    var messages: [(first: UInt64, events: [String])] = []
                    while messages.last?.events.last != last, let message = try await subscriber.receive() {
                        let stamp = try #require(message.first.flatMap(EventStamp.init))
                        let events = message.dropFirst().map { String(decoding: $0, as: UTF8.self) }
                        messages.append((stamp.sequence, events))
                    }
                    return messages
                }
            }
        }
    }

    @Test func whoListensGetsTheEventsOfATurnInOneMessage() async throws {
        let messages = try await received(upTo: "c") { outlet in
            let hasJoined = outlet.subscriptionChanged(Self.joined, at: .zero)
            #expect(hasJoined)
            outlet.say("a", at: .zero)
            outlet.say("b", at: .zero)
            outlet.flush()
            outlet.say("c", at: .zero)
            outlet.flush()
        }
        #expect(messages.map(\.first) == [1, 3])
        #expect(messages.map(\.events) == [["a", "b"], ["c"]])
    }

    @Test func nothingIsWrittenForThoseWhoStandStillOrLeft() async throws {
        let lease = BusTiming.subscriberLease
        let messages = try await received(upTo: "end") { outlet in
            outlet.say("too early", at: .zero)
            _ = outlet.subscriptionChanged(Self.joined, at: .zero)
            outlet.say("a", at: lease - .nanoseconds(1))
            outlet.say("nobody", at: lease)
            outlet.heardOfListener(at: lease + .seconds(5))
            outlet.say("b", at: lease + .seconds(6))
            let hasJoined = outlet.subscriptionChanged(Self.left, at: lease + .seconds(6))
            #expect(!hasJoined)
            outlet.say("gone", at: lease + .seconds(6))
            _ = outlet.subscriptionChanged(Self.joined, at: lease + .seconds(7))
            outlet.say("end", at: lease + .seconds(7))
            outlet.flush()
            #expect(outlet.ring.lastSequence == 6, "the ring keeps what nobody heard")
        }
        #expect(messages.map(\.first) == [2, 4, 6])
        #expect(messages.flatMap(\.events) == ["a", "b", "end"])
    }

    @Test func aLongTurnGoesOutInSeveralMessages() async throws {
        let last = EventOutlet.batch + 1
        let messages = try await received(upTo: "\(last)") { outlet in
            _ = outlet.subscriptionChanged(Self.joined, at: .zero)
            for number in 1...last { outlet.say("\(number)", at: .zero) }
            outlet.flush()
        }
        #expect(messages.map(\.events.count) == [EventOutlet.batch, 1])
    }
}

extension EventOutlet {
    fileprivate mutating func say(_ text: String, at now: Duration) {
        append(.published(Array(text.utf8)), at: now)
    }
}

extension Socket {
    /// On the socket's own loop, where the broker uses its outlet.
    fileprivate func use(_ outlet: EventOutlet, _ change: @Sendable (inout EventOutlet) -> Void) {
        var outlet = outlet
        change(&outlet)
    }
}
