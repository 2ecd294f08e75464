import Envelope
import MessageBus
import TestSupport
import Testing
import ZeroMQ

@testable import BrokerCore

/// What goes out to subscribers, over real sockets and on a clock of the test's.
@Suite(.timeLimit(.minutes(1))) struct EventPublisherTests {
    private static let joined: Message = [[1]]
    private static let left: Message = [[0]]

    /// - Returns: of each message that a subscriber got, the sequence of its first event and the events.
    private func received(
        upTo last: String, _ change: @Sendable (inout EventPublisher) -> Void
    ) async throws -> [(first: UInt64, events: [String])] {
        try await withContext { context in
            try await withSocket(.extendedPublisher, in: context) { publisher in
                try await publisher.bind("inproc://events")
                var options = SocketOptions()
                options.subscriptions = [[]]
                return try await withSocket(.subscriber, in: context, options: options) { subscriber in
                    try await subscriber.connect("inproc://events")
                    _ = try await publisher.receive()
                    await publisher.use(EventPublisher(ring: EventRing(epoch: 1), socket: publisher), change)
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
        let messages = try await received(upTo: "c") { eventPublisher in
            let hasJoined = eventPublisher.subscriptionChanged(Self.joined, at: .zero)
            #expect(hasJoined)
            eventPublisher.say("a", at: .zero)
            eventPublisher.say("b", at: .zero)
            eventPublisher.flush()
            eventPublisher.say("c", at: .zero)
            eventPublisher.flush()
        }
        #expect(messages.map(\.first) == [1, 3])
        #expect(messages.map(\.events) == [["a", "b"], ["c"]])
    }

    @Test func nothingIsWrittenForThoseWhoStandStillOrLeft() async throws {
        let lease = BusTiming.subscriberLease
        let messages = try await received(upTo: "end") { eventPublisher in
            eventPublisher.say("too early", at: .zero)
            _ = eventPublisher.subscriptionChanged(Self.joined, at: .zero)
            eventPublisher.say("a", at: lease - .nanoseconds(1))
            eventPublisher.say("nobody", at: lease)
            eventPublisher.heardOfListener(at: lease + .seconds(5))
            eventPublisher.say("b", at: lease + .seconds(6))
            let hasJoined = eventPublisher.subscriptionChanged(Self.left, at: lease + .seconds(6))
            #expect(!hasJoined)
            eventPublisher.say("gone", at: lease + .seconds(6))
            _ = eventPublisher.subscriptionChanged(Self.joined, at: lease + .seconds(7))
            eventPublisher.say("end", at: lease + .seconds(7))
            eventPublisher.flush()
            #expect(eventPublisher.ring.lastSequence == 6, "the ring keeps what nobody heard")
        }
        #expect(messages.map(\.first) == [2, 4, 6])
        #expect(messages.flatMap(\.events) == ["a", "b", "end"])
    }

    @Test func aLongTurnGoesOutInSeveralMessages() async throws {
        let last = EventPublisher.batch + 1
        let messages = try await received(upTo: "\(last)") { eventPublisher in
            _ = eventPublisher.subscriptionChanged(Self.joined, at: .zero)
            for number in 1...last { eventPublisher.say("\(number)", at: .zero) }
            eventPublisher.flush()
        }
        #expect(messages.map(\.events.count) == [EventPublisher.batch, 1])
    }
}

extension EventPublisher {
    fileprivate mutating func say(_ text: String, at now: Duration) {
        append(.published(Array(text.utf8)), at: now)
    }
}

extension Socket {
    /// On the socket's own loop, where the broker uses its outlet.
    fileprivate func use(_ eventPublisher: EventPublisher, _ change: @Sendable (inout EventPublisher) -> Void) {
        var eventPublisher = eventPublisher
        change(&eventPublisher)
    }
}
