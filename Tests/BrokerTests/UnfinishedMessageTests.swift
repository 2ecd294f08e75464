import Testing

@testable import BrokerCore

@Suite final class UnfinishedMessageTests {
    private static let limit = UnfinishedMessage.limit
    private var message = UnfinishedMessage(bytes: 1000, at: .zero)

    private func isTooLarge(_ bytes: Int64, deliveries: UInt64 = 0, at milliseconds: Int) -> Bool {
        message.isTooLarge(bytes: bytes, deliveries: deliveries, at: .milliseconds(milliseconds))
    }

    @Test func `bytes above the limit that are not delivered by the next check are unfinished`() {
        #expect(!isTooLarge(1000 + Self.limit + 1, at: 20), "it may be complete and not read yet")
        #expect(isTooLarge(1000 + Self.limit + 1, at: 40))
    }

    @Test func `a burst of complete messages is not unfinished`() {
        #expect(!isTooLarge(50 * Self.limit, at: 20))
        #expect(!isTooLarge(51 * Self.limit, deliveries: 40, at: 40))
        #expect(!isTooLarge(51 * Self.limit, deliveries: 50, at: 60))
        #expect(!isTooLarge(51 * Self.limit, deliveries: 50, at: 80))
    }

    @Test func `an endless message after complete ones is detected`() {
        #expect(!isTooLarge(2000, deliveries: 3, at: 20))
        #expect(!isTooLarge(Self.limit, deliveries: 3, at: 40))
        #expect(!isTooLarge(2 * Self.limit, deliveries: 3, at: 60))
        #expect(isTooLarge(3 * Self.limit, deliveries: 3, at: 80))
    }

    @Test func `the probes of an idle connection are not unfinished`() {
        let month = 30 * 86_400
        let probes = Int64(month) * UnfinishedMessage.probeBytesPerSecond
        #expect(probes > 10 * Self.limit)
        #expect(!isTooLarge(1000 + probes, at: 1000 * month))
        #expect(!isTooLarge(1000 + probes, at: 1000 * (month + 1)))
    }
}
