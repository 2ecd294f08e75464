import Contracts
import Envelope
import Testing

@testable import GatewayCore

@Suite struct PeekTests {
    private func entry(_ key: String, _ state: CachedEntry.State) -> CachedEntry {
        CachedEntry(key: key, state: state)
    }

    @Test func `values belong to the entries that have one, in their order`() {
        let reply = CachePeekReply(entries: [entry("a", .fresh), entry("b", .missing), entry("c", .stale)])
        let paired = PartFinder.paired(reply, [[1], [3]])
        #expect(paired.mapValues(\.value) == ["a": [1], "b": nil, "c": [3]])
        #expect(paired["c"]?.entry.state == .stale)
    }

    @Test(arguments: [[], [[1]], [[1], [2], [3]]] as [[[UInt8]]])
    func `with a value too few or too many nobody knows whose they are`(values: [[UInt8]]) {
        let reply = CachePeekReply(entries: [entry("a", .fresh), entry("b", .missing), entry("c", .stale)])
        #expect(PartFinder.paired(reply, values).isEmpty)
    }

    @Test(arguments: [[[1]], [[1], [2]]] as [[[UInt8]]])
    func `a state of tomorrow makes the look worth nothing, instead of giving a key another's value`(
        values: [[UInt8]]
    ) {
        let reply = CachePeekReply(
            entries: [entry("a", CachedEntry.State(rawValue: "revalidating")), entry("b", .fresh)])
        #expect(PartFinder.paired(reply, values).isEmpty)
    }

    @Test func `values in one attachment are told apart by their lengths`() {
        let entries = [entry("a", .fresh), entry("b", .missing), entry("c", .stale)]
        let paired = PartFinder.paired(CachePeekReply(entries: entries, lengths: [1, 2]), [[1, 2, 3]])
        #expect(paired.mapValues(\.value) == ["a": [1], "b": nil, "c": [2, 3]])
    }

    @Test(
        arguments: [
            ([1, 1], [[1, 2, 3]]), ([1, 3], [[1, 2, 3]]), ([-1, 4], [[1, 2, 3]]), ([3], [[1, 2, 3]]),
            ([1, 2], [[1], [2, 3]]), ([1, 2], []), ([.max, .max], [[1, 2, 3]]),
        ] as [([Int], [[UInt8]])])
    func `lengths that do not fit make the look worth nothing`(lengths: [Int], attachments: [[UInt8]]) {
        let entries = [entry("a", .fresh), entry("c", .stale)]
        #expect(PartFinder.paired(CachePeekReply(entries: entries, lengths: lengths), attachments).isEmpty)
    }
}
