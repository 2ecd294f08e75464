import Testing

@testable import BrokerCore

@Suite final class UnfinishedMessageTests {
    private static let limit = UnfinishedMessage.limit
    private var message = UnfinishedMessage(at: .zero)

    private func isTooLarge(_ bytes: Int64, delivered: Int64 = 0, at milliseconds: Int) -> Bool {
        message.isTooLarge(bytes: bytes, deliveredBytes: delivered, at: .milliseconds(milliseconds))
    }

    @Test func `bytes above the limit that are not delivered by the next check are unfinished`() {
        #expect(!isTooLarge(Self.limit + 1, at: 20), "it may be complete and not read yet")
        #expect(isTooLarge(Self.limit + 1, at: 40))
    }

    @Test func `a burst of complete messages is not unfinished`() {
        #expect(!isTooLarge(50 * Self.limit, at: 20))
        #expect(!isTooLarge(51 * Self.limit, delivered: 40 * Self.limit, at: 40))
        #expect(!isTooLarge(51 * Self.limit, delivered: 50 * Self.limit, at: 60))
        #expect(!isTooLarge(51 * Self.limit, delivered: 50 * Self.limit, at: 80))
    }

    /// On a busy machine a check may come late, and the next before anything else is read.
    @Test func `what was delivered between two late checks is not unfinished`() {
        #expect(!isTooLarge(40 * Self.limit, delivered: 39 * Self.limit, at: 500))
        #expect(!isTooLarge(40 * Self.limit, delivered: 39 * Self.limit, at: 520))
        #expect(!isTooLarge(40 * Self.limit, delivered: 39 * Self.limit, at: 540))
    }

    @Test func `an endless message after a small one is detected although both arrive at once`() {
        #expect(!isTooLarge(3 * Self.limit, delivered: 300, at: 20))
        #expect(isTooLarge(3 * Self.limit, delivered: 300, at: 40))
    }

    @Test func `an endless message after complete ones is detected`() {
        #expect(!isTooLarge(2000, delivered: 300, at: 20))
        #expect(!isTooLarge(Self.limit, delivered: 300, at: 40))
        #expect(!isTooLarge(2 * Self.limit, delivered: 300, at: 60))
        #expect(isTooLarge(3 * Self.limit, delivered: 300, at: 80))
    }

    @Test func `the probes of an idle connection are not unfinished`() {
        let month = 30 * 86_400
        let probes = Int64(month) * UnfinishedMessage.probeBytesPerSecond
        #expect(probes > 10 * Self.limit)
        #expect(!isTooLarge(probes, at: 1000 * month))
        #expect(!isTooLarge(probes, at: 1000 * (month + 1)))
    }
}
