import Testing

@testable import WebCore

@Suite struct ConnectionTableTests {
    private let one = ClientAddress("192.0.2.1")
    private let other = ClientAddress("192.0.2.2")

    @Test func `the longest idle connection of all makes room`() {
        var table = ConnectionTable<Int>(maxTotal: 3, maxPerAddress: 9)
        for id in 1...3 { #expect(table.open(id, from: nil) == nil) }
        table.beginRequest(on: 1)
        table.endRequest(on: 1)
        #expect(table.open(4, from: one) == 2)
        #expect(table.open(5, from: one) == 3)
        #expect(table.open(6, from: one) == 1)
        #expect(table.count == 3)
    }

    @Test func `an address makes room among its own`() {
        var table = ConnectionTable<Int>(maxTotal: 9, maxPerAddress: 2)
        #expect(table.open(1, from: other) == nil)
        #expect(table.open(2, from: one) == nil)
        #expect(table.open(3, from: one) == nil)
        #expect(table.open(4, from: one) == 2)
        table.close(3)
        #expect(table.open(5, from: one) == nil)
        #expect(table.open(6, from: nil) == nil && table.open(7, from: nil) == nil && table.open(8, from: nil) == nil)
    }

    @Test func `a busy connection stays, and the newcomer goes when all are busy`() {
        var table = ConnectionTable<Int>(maxTotal: 2, maxPerAddress: 9)
        for id in 1...2 {
            _ = table.open(id, from: one)
            table.beginRequest(on: id)
        }
        // A second request on the same connection.
        table.beginRequest(on: 2)
        table.endRequest(on: 2)
        #expect(table.open(3, from: one) == 3)
        table.endRequest(on: 2)
        #expect(table.open(4, from: one) == 2)
        #expect(table.count == 2)
    }

    @Test func `what is unknown changes nothing`() {
        var table = ConnectionTable<Int>(maxTotal: 2, maxPerAddress: 1)
        table.close(7)
        table.beginRequest(on: 7)
        table.endRequest(on: 7)
        #expect(table.count == 0)
        #expect(table.open(1, from: one) == nil)
        table.close(1)
        table.close(1)
        #expect(table.open(2, from: one) == nil && table.count == 1)
    }
}
