import Testing

@testable import BrokerCore

@Suite final class UnfinishedMessageTests {
    private static let limit = UnfinishedMessage.limit
    private var message = UnfinishedMessage(bytes: 1000, at: .zero)

    private func looks(_ bytes: Int64, deliveries: UInt64 = 0, at milliseconds: Int) -> Bool {
        message.isTooLarge(bytes: bytes, deliveries: deliveries, at: .milliseconds(milliseconds))
    }

    @Test func whatWasTooMuchAtOneLookAndIsNotDeliveredByTheNextIsUnfinished() {
        #expect(!looks(1000 + Self.limit + 1, at: 20), "it may be whole, and not read yet")
        #expect(looks(1000 + Self.limit + 1, at: 40))
    }

    @Test func aBurstOfWholeMessagesIsNone() {
        #expect(!looks(50 * Self.limit, at: 20))
        #expect(!looks(51 * Self.limit, deliveries: 40, at: 40))
        #expect(!looks(51 * Self.limit, deliveries: 50, at: 60))
        #expect(!looks(51 * Self.limit, deliveries: 50, at: 80))
    }

    @Test func anEndlessOneBehindWholeOnesIsFound() {
        #expect(!looks(2000, deliveries: 3, at: 20))
        #expect(!looks(Self.limit, deliveries: 3, at: 40))
        #expect(!looks(2 * Self.limit, deliveries: 3, at: 60))
        #expect(looks(3 * Self.limit, deliveries: 3, at: 80))
    }

    @Test func probesOfAQuietConnectionAreNone() {
        let month = 30 * 86_400
        let probes = Int64(month) * UnfinishedMessage.probeBytesPerSecond
        #expect(probes > 10 * Self.limit)
        #expect(!looks(1000 + probes, at: 1000 * month))
        #expect(!looks(1000 + probes, at: 1000 * (month + 1)))
    }
}
