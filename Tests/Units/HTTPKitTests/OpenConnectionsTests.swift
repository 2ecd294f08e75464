import Testing

@testable import HTTPKit

@Suite struct OpenConnectionsTests {
    private let one = ClientAddress("192.0.2.1")
    private let other = ClientAddress("192.0.2.2")

    @Test func `the longest idle connection of all makes room`() {
        var table = OpenConnections<Int>(maxTotal: 3, maxPerAddress: 9)
        for id in 1...3 { #expect(table.open(id, from: nil, at: .now) == nil) }
        table.beginRequest(on: 1)
        table.endRequest(on: 1)
        #expect(table.open(4, from: one, at: .now) == 2)
        #expect(table.open(5, from: one, at: .now) == 3)
        #expect(table.open(6, from: one, at: .now) == 1)
        #expect(table.count == 3)
    }

    @Test func `an address makes room among its own`() {
        var table = OpenConnections<Int>(maxTotal: 9, maxPerAddress: 2)
        #expect(table.open(1, from: other, at: .now) == nil)
        #expect(table.open(2, from: one, at: .now) == nil)
        #expect(table.open(3, from: one, at: .now) == nil)
        #expect(table.open(4, from: one, at: .now) == 2)
        table.close(3)
        #expect(table.open(5, from: one, at: .now) == nil)
        #expect(
            table.open(6, from: nil, at: .now) == nil && table.open(7, from: nil, at: .now) == nil
                && table.open(8, from: nil, at: .now) == nil)
    }

    @Test func `a busy connection stays, and the newcomer goes when all are busy`() {
        var table = OpenConnections<Int>(maxTotal: 2, maxPerAddress: 9)
        for id in 1...2 {
            _ = table.open(id, from: one, at: .now)
            table.beginRequest(on: id)
        }
        // A second request on the same connection.
        table.beginRequest(on: 2)
        table.endRequest(on: 2)
        #expect(table.open(3, from: one, at: .now) == 3)
        table.endRequest(on: 2)
        #expect(table.open(4, from: one, at: .now) == 2)
        #expect(table.count == 2)
    }

    @Test func `when all are busy, the one that has been stalled longest makes room`() {
        let start = ContinuousClock.now
        var table = OpenConnections<Int>(maxTotal: 3, maxPerAddress: 9, shortestStall: .seconds(5))
        for id in 1...3 {
            #expect(table.open(id, from: nil, at: start) == nil)
            table.beginRequest(on: id)
        }
        table.stall(2, since: start)
        table.stall(3, since: start + .seconds(1))
        #expect(table.open(4, from: nil, at: start + .seconds(5)) == 4, "a short stall is none")
        #expect(table.open(5, from: nil, at: start + .seconds(8)) == 2)
        table.beginRequest(on: 5)
        table.stall(3, since: nil)
        #expect(table.open(6, from: nil, at: start + .seconds(60)) == 6, "1 waits for its answer, and 3 reads again")
    }

    @Test func `a request that ends after its response leaves its connection idle`() {
        var table = OpenConnections<Int>(maxTotal: 1, maxPerAddress: 9)
        #expect(table.open(1, from: nil, at: .now) == nil)
        table.endRequest(on: 1)
        table.beginRequest(on: 1)
        #expect(table.open(2, from: nil, at: .now) == 1)
    }

    @Test func `what is unknown changes nothing`() {
        var table = OpenConnections<Int>(maxTotal: 2, maxPerAddress: 1)
        table.close(7)
        table.beginRequest(on: 7)
        table.endRequest(on: 7)
        #expect(table.count == 0)
        #expect(table.open(1, from: one, at: .now) == nil)
        table.close(1)
        table.close(1)
        #expect(table.open(2, from: one, at: .now) == nil && table.count == 1)
    }
}
