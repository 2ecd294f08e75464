import Contracts
import Envelope
import Testing

@testable import Assembly

@Suite struct CachedPartsTests {
    private func entry(_ key: String, _ state: CachedEntry.State) -> CachedEntry {
        CachedEntry(key: key, state: state)
    }

    @Test func `values belong to the entries that have one, in their order`() throws {
        let reply = CachePeekReply(entries: [entry("a", .fresh), entry("b", .missing), entry("c", .stale)])
        let parts = try #require(CachedParts(reply, attachments: [[1], [3]]))
        #expect(["a", "b", "c"].map { parts[$0]?.value } == [[1], nil, [3]])
        #expect(parts["c"]?.entry.state == .stale)
    }

    @Test(arguments: [[], [[1]], [[1], [2], [3]]] as [[[UInt8]]])
    func `with too few or too many values none is assigned to a key`(values: [[UInt8]]) throws {
        let reply = CachePeekReply(entries: [entry("a", .fresh), entry("b", .missing), entry("c", .stale)])
        #expect(CachedParts(reply, attachments: values) == nil)
    }

    @Test(arguments: [[[1]], [[1], [2]]] as [[[UInt8]]])
    func `an unknown state invalidates the peek instead of assigning a value to a wrong key`(
        values: [[UInt8]]
    ) throws {
        let reply = CachePeekReply(
            entries: [entry("a", CachedEntry.State(rawValue: "revalidating")), entry("b", .fresh)])
        #expect(CachedParts(reply, attachments: values) == nil)
    }

    @Test func `values in one attachment are separated by their lengths`() throws {
        let entries = [entry("a", .fresh), entry("b", .missing), entry("c", .stale)]
        let parts = try #require(
            CachedParts(CachePeekReply(entries: entries, lengths: [1, 2]), attachments: [[1, 2, 3]]))
        #expect(["a", "b", "c"].map { parts[$0]?.value } == [[1], nil, [2, 3]])
    }

    @Test(
        arguments: [
            ([1, 1], [[1, 2, 3]]), ([1, 3], [[1, 2, 3]]), ([-1, 4], [[1, 2, 3]]), ([3], [[1, 2, 3]]),
            ([1, 2], [[1], [2, 3]]), ([1, 2], []), ([.max, .max], [[1, 2, 3]]),
        ] as [([Int], [[UInt8]])])
    func `lengths that do not match invalidate the peek`(lengths: [Int], attachments: [[UInt8]]) throws {
        let entries = [entry("a", .fresh), entry("c", .stale)]
        #expect(CachedParts(CachePeekReply(entries: entries, lengths: lengths), attachments: attachments) == nil)
    }
}
