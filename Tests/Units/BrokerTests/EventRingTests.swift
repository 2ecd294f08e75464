import Envelope
import Testing

@testable import BrokerCore

@Suite struct EventRingTests {
    @Test func `sequences begin at one and have no gaps`() {
        var ring = EventRing(epoch: 7)
        let stamps = (0..<5).map { _ in
            ring.append(.published([1]))
            return ring.head
        }
        #expect(stamps == (1...5).map { EventStamp(epoch: 7, sequence: $0) })
    }

    @Test func `the oldest events are evicted first`() {
        var ring = EventRing(epoch: 1, maxEvents: 3)
        for number in 1...5 { ring.append(.published([UInt8(number)])) }
        let page = ring.page(from: 1, limit: 10, maxBytes: 100)
        #expect(page.map(\.0.sequence) == [3, 4, 5])
        #expect(page.map(\.1) == [[3], [4], [5]])
    }

    @Test func `the bytes in the ring are bounded`() {
        var ring = EventRing(epoch: 1, maxEvents: 100, maxBytes: 10)
        for _ in 1...5 { ring.append(.published([0, 0, 0, 0])) }
        #expect(ring.page(from: 1, limit: 10, maxBytes: 100).map(\.0.sequence) == [4, 5])
    }

    @Test(
        arguments: [(1, 2, [1, 2]), (4, 10, [4, 5]), (6, 10, []), (UInt64.max, 10, [])] as [(UInt64, Int, [UInt64])])
    func `a page begins at the requested sequence and ends at its limit`(from: UInt64, limit: Int, expected: [UInt64]) {
        var ring = EventRing(epoch: 1)
        for _ in 1...5 { ring.append(.published([1])) }
        #expect(ring.page(from: from, limit: limit, maxBytes: 100).map(\.0.sequence) == expected)
    }

    @Test("A page holds the kept events from the requested sequence on", arguments: [0, 1, 4, 11] as [UInt64])
    func everyArgument(appended: UInt64) {
        var ring = EventRing(epoch: 1, maxEvents: 4)
        for _ in 0..<appended { ring.append(.published([1])) }
        let kept = appended - min(appended, 4) + 1..<appended + 1
        for from in Array(0...appended + 2) + [.max / 2, .max - 1, .max] {
            for limit in [0, 1, 24] {
                let page = ring.page(from: from, limit: limit, maxBytes: 100)
                #expect(page.map(\.0.sequence) == Array(kept.drop { $0 < from }.prefix(limit)))
            }
        }
    }
}
