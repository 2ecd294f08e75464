import Envelope
import Majordomo
import MessageBus
import TestSupport
import Testing
import ZeroMQ

@testable import BrokerCore

/// The messages that subscribers receive, over real sockets and with a simulated clock.
@Suite(.timeLimit(.minutes(1))) struct EventBatcherTests {
    private static let joined: Message = [[1]]
    private static let left: Message = [[0]]

    /// - Returns: for each message that a subscriber received, the sequence of its first event and the events.
    private func received(
        upTo last: String, _ change: @Sendable (inout EventBatcher) -> Void
    ) async throws -> [(first: UInt64, events: [String])] {
        try await withContext { context in
            try await withSocket(.extendedPublisher, in: context) { publisher in
                try await publisher.bind("inproc://events")
                var options = SocketOptions()
                options.subscriptions = [[]]
                return try await withSocket(.subscriber, in: context, options: options) { subscriber in
                    try await subscriber.connect("inproc://events")
                    _ = try await publisher.receive()
                    await publisher.use(EventBatcher(ring: EventRing(epoch: 1), socket: publisher), change)
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

    @Test func `a subscriber receives the events of one iteration in one message`() async throws {
        let messages = try await received(upTo: "c") { eventPublisher in
            let hasJoined = eventPublisher.applySubscription(Self.joined, at: .zero)
            #expect(hasJoined)
            eventPublisher.append("a", at: .zero)
            eventPublisher.append("b", at: .zero)
            eventPublisher.flush()
            eventPublisher.append("c", at: .zero)
            eventPublisher.flush()
        }
        #expect(messages.map(\.first) == [1, 3])
        #expect(messages.map(\.events) == [["a", "b"], ["c"]])
    }

    @Test func `nothing is sent to subscribers that are suspended or have left`() async throws {
        let lease = SubscriptionTiming.lease
        let messages = try await received(upTo: "end") { eventPublisher in
            eventPublisher.append("too early", at: .zero)
            _ = eventPublisher.applySubscription(Self.joined, at: .zero)
            eventPublisher.append("a", at: lease - .nanoseconds(1))
            eventPublisher.append("unsent", at: lease)
            eventPublisher.renewSubscriberLease(at: lease + .seconds(5))
            eventPublisher.append("b", at: lease + .seconds(6))
            let hasJoined = eventPublisher.applySubscription(Self.left, at: lease + .seconds(6))
            #expect(!hasJoined)
            eventPublisher.append("after the end", at: lease + .seconds(6))
            _ = eventPublisher.applySubscription(Self.joined, at: lease + .seconds(7))
            eventPublisher.append("end", at: lease + .seconds(7))
            eventPublisher.flush()
            #expect(eventPublisher.ring.lastSequence == 6, "the ring keeps the events that were not sent")
        }
        #expect(messages.map(\.first) == [2, 4, 6])
        #expect(messages.flatMap(\.events) == ["a", "b", "end"])
    }

    @Test func `the events of a long iteration are sent in several messages`() async throws {
        let last = EventBatcher.batch + 1
        let messages = try await received(upTo: "\(last)") { eventPublisher in
            _ = eventPublisher.applySubscription(Self.joined, at: .zero)
            for number in 1...last { eventPublisher.append("\(number)", at: .zero) }
            eventPublisher.flush()
        }
        #expect(messages.map(\.events.count) == [EventBatcher.batch, 1])
    }
}

extension EventBatcher {
    fileprivate mutating func append(_ text: String, at now: Duration) {
        append(.published(Array(text.utf8)), at: now)
    }
}

extension Socket {
    /// Runs on the socket's loop, as the broker's publisher does.
    fileprivate func use(_ eventPublisher: EventBatcher, _ change: @Sendable (inout EventBatcher) -> Void) {
        var eventPublisher = eventPublisher
        change(&eventPublisher)
    }
}
