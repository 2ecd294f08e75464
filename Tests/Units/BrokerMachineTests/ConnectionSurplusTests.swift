import Testing

@testable import BrokerMachine
@testable import Majordomo

/// Which connections end when there are too many.
@Suite struct ConnectionSurplusTests {
    private var table = ConnectionTable(handshakeLimit: .seconds(2))

    private static func place(_ descriptor: Int32) -> ConnectionTable.Place {
        ConnectionTable.Place(socket: 0, descriptor: descriptor)
    }

    private mutating func accept(_ descriptors: ClosedRange<Int32>, of owner: String, at now: Duration = .zero) {
        for descriptor in descriptors { table.accepted(at: Self.place(descriptor), owner: owner, at: now) }
    }

    private mutating func complete(_ descriptors: ClosedRange<Int32>) {
        for descriptor in descriptors {
            table.introduce([0, UInt8(descriptor)], over: Self.place(descriptor))
        }
    }

    private func surplus(above limit: Int, at now: Duration = .zero) -> [Int32] {
        table.surplus(above: limit, at: now).map(\.place.descriptor)
    }

    @Test mutating func `up to the limit no connection is ended`() {
        accept(1...32, of: "a")
        #expect(surplus(above: 32).isEmpty)
        #expect(surplus(above: 31).count == 2, "one too many, and a sixteenth of the limit")
    }

    @Test mutating func `the newest handshakes are ended before connections with messages`() {
        accept(1...10, of: "a")
        complete(1...10)
        accept(11...16, of: "b")
        #expect(surplus(above: 15) == [16])
        #expect(surplus(above: 10).sorted() == [11, 12, 13, 14, 15, 16])
    }

    @Test mutating func `a flooding owner loses its own connections`() {
        accept(1...3, of: "quiet")
        accept(4...20, of: "flood")
        accept(21...22, of: "late")
        #expect(surplus(above: 20) == [20, 19, 18])
    }

    @Test mutating func `after the handshakes, the newest connections of the owner with the most are ended`() {
        accept(1...4, of: "few")
        accept(5...20, of: "many")
        accept(21...23, of: "others")
        complete(1...23)
        #expect(surplus(above: 22) == [20, 19])
    }

    @Test mutating func `a silent connection older than the handshake limit has completed its handshake`() {
        accept(1...8, of: "subscriber")
        accept(9...12, of: "unauthenticatedPeer", at: .seconds(2))
        #expect(surplus(above: 11, at: .seconds(2)) == [12])
        #expect(surplus(above: 11, at: .seconds(4)) == [8], "all have completed: the owner with the most")
    }

    @Test mutating func `a connection that is being shut down is not counted again`() {
        accept(1...20, of: "a")
        for connection in table.surplus(above: 16, at: .zero) {
            let (first, second) = (table.markEnding(connection.place), table.markEnding(connection.place))
            #expect(first && !second)
        }
        #expect(table.openCount == 15 && table.count == 20)
        #expect(surplus(above: 16).isEmpty)
        table.ended(at: Self.place(20))
        #expect(table.openCount == 15 && table.count == 19)
        table.ended(at: Self.place(1))
        #expect(table.openCount == 14)
    }
}
