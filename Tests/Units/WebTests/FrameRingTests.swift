import HTTPKit
import Testing

@testable import WebCore

@Suite struct FrameRingTests {
    private typealias Ring = FrameRing<Int>

    private var ring = Ring(epoch: 0xab, maxFrames: 3, maxBytes: 1_000)

    private mutating func append(_ topics: Int...) {
        for topic in topics { ring.append(topic, event: "e", data: Array("\(topic)".utf8)) }
    }

    private func read(_ cursor: Ring.Cursor, maxBytes: Int = 1_000, of topic: Int? = nil) -> Ring.Batch? {
        ring.frames(after: cursor, maxBytes: maxBytes) { topic == nil || $0 == topic }
    }

    private func text(_ batch: Ring.Batch?) -> String { String(decoding: batch?.bytes ?? [], as: UTF8.self) }

    @Test mutating func `a listener gets what comes after its cursor, once`() throws {
        let start = ring.end
        #expect(read(start) == nil)
        append(7, 8)
        let batch = try #require(read(start))
        #expect(text(batch) == "id: ab.1\nevent: e\ndata: 7\n\nid: ab.2\nevent: e\ndata: 8\n\n")
        #expect(batch.lost == 0 && batch.cursor == ring.end)
        #expect(read(batch.cursor) == nil)
    }

    @Test mutating func `frames of other topics move the cursor only`() throws {
        append(7, 8, 7)
        let batch = try #require(read(Ring.Cursor(epoch: 0xab, sequence: 0), of: 8))
        #expect(text(batch) == "id: ab.2\nevent: e\ndata: 8\n\n" && batch.cursor == ring.end)
    }

    @Test mutating func `what the ring no longer has is a gap`() throws {
        append(1, 2, 3, 4, 5)
        let batch = try #require(read(Ring.Cursor(epoch: 0xab, sequence: 1)))
        #expect(batch.lost == 1 && text(batch).hasPrefix("id: ab.3\n") && batch.cursor.sequence == 5)
    }

    @Test mutating func `a frame that was skipped is a gap for those before it`() throws {
        append(1)
        let start = ring.end
        ring.skip()
        ring.skip()
        append(2)
        let batch = try #require(read(start))
        #expect(batch.lost == 2 && text(batch).hasPrefix("id: ab.4\n"))
    }

    @Test(arguments: ["ac.1", "ab.9", "0.0"])
    mutating func `a cursor of another server is a gap of unknown size`(text: String) throws {
        append(1)
        let cursor = try #require(Ring.Cursor(text))
        let batch = try #require(read(cursor))
        #expect(batch.lost == nil && batch.bytes.isEmpty && batch.cursor == ring.end)
    }

    @Test mutating func `a batch has at most so many bytes, but one frame at least`() throws {
        append(1, 2, 3)
        let first = try #require(read(Ring.Cursor(epoch: 0xab, sequence: 0), maxBytes: 1))
        #expect(first.cursor.sequence == 1)
        let second = try #require(read(first.cursor, maxBytes: 60))
        #expect(second.cursor.sequence == 3)
    }

    @Test mutating func `the oldest frames make room for new ones`() {
        ring = Ring(epoch: 1, maxFrames: 100, maxBytes: 100)
        append(1, 2, 3, 4, 5, 6)
        #expect((read(Ring.Cursor(epoch: 1, sequence: 0))?.lost ?? 0) > 0)
    }

    @Test(arguments: [
        "", ".", "ab", "ab.", ".1", "xy.1", "ab.-1", "ab.1.2", "ab.99999999999999999999", "1ffffffffffffffff.1",
    ])
    func `other texts are no cursor`(text: String) {
        #expect(Ring.Cursor(text) == nil)
    }

    @Test func `listeners are bounded in total and per address`() {
        let one = ClientAddress("192.0.2.1")
        var table = ListenerTable(maxTotal: 3, maxPerAddress: 2)
        func open(_ times: Int, from address: ClientAddress?) -> [Bool] {
            (0..<times).map { _ in table.open(from: address) }
        }
        let own = open(3, from: one)
        let others = open(2, from: nil)
        #expect(own == [true, true, false] && others == [true, false])
        table.close(from: one)
        let again = open(1, from: one)
        for _ in 0..<5 { table.close(from: one) }
        let last = open(4, from: nil)
        #expect(again == [true] && last == [true, true, true, false])
    }
}
