import BrokerMachine
import Majordomo
import MessageBus
import Testing

/// `#expect` calls nothing that mutates a value.
@dynamicMemberLookup
private final class SharedTable {
    var table = ConnectionTable()

    subscript<Value>(dynamicMember path: KeyPath<ConnectionTable, Value>) -> Value { table[keyPath: path] }
    subscript(_ place: ConnectionTable.Place) -> ConnectionTable.Connection? { table[place] }

    func delivered(by peer: PeerID, over place: ConnectionTable.Place) -> Bool {
        table.delivered(by: peer, over: place)
    }

    func takeLostPeers() -> [PeerID] { table.takeLostPeers() }
    func ended(at place: ConnectionTable.Place) { table.ended(at: place) }
    func introduce(_ peer: PeerID, over place: ConnectionTable.Place) { table.introduce(peer, over: place) }
    func place(of peer: PeerID) -> ConnectionTable.Place? { table.place(of: peer) }
    func accepted(at place: ConnectionTable.Place, owner: String, at now: Duration) {
        table.accepted(at: place, owner: owner, at: now)
    }
}

@Suite struct ConnectionTableTests {
    private let place = ConnectionTable.Place(socket: 0, descriptor: 9)
    private let first = Frame(text: "first")
    private let second = Frame(text: "second")

    /// A table in which the first peer speaks over the place.
    private func tableOfFirst() -> SharedTable {
        let table = SharedTable()
        table.accepted(at: place, owner: "a", at: .zero)
        table.introduce(first, over: place)
        return table
    }

    @Test func `only a peer that is introduced is known`() {
        let table = SharedTable()
        table.accepted(at: place, owner: "a", at: .seconds(3))
        #expect(!table.delivered(by: first, over: place))
        table.introduce(first, over: place)
        #expect(table.delivered(by: first, over: place))
        #expect(!table.delivered(by: second, over: place))
        #expect(table.place(of: first) == place)
        #expect(table[place]?.deliveredBytes == 2)
        #expect(table[place]?.acceptedAt == .seconds(3))
    }

    @Test func `the end of a connection loses its peer once`() {
        let table = tableOfFirst()
        table.ended(at: place)
        table.ended(at: place)
        #expect(table.hasLostPeers)
        #expect(table.takeLostPeers() == [first])
        #expect(!table.hasLostPeers)
        #expect(table.takeLostPeers().isEmpty)
        #expect(table.count == 0)
        #expect(table.place(of: first) == nil)
    }

    @Test func `the successor on a descriptor is not lost with its predecessor`() {
        let table = tableOfFirst()
        // The message of the second is read before the events that came before it.
        #expect(!table.delivered(by: second, over: place))
        table.ended(at: place)
        table.ended(at: place)
        table.accepted(at: place, owner: "b", at: .zero)
        table.introduce(second, over: place)
        #expect(table.takeLostPeers() == [first])
        #expect(table.delivered(by: second, over: place))
        table.ended(at: place)
        #expect(table.takeLostPeers() == [second])
    }

    @Test func `the next accept ends a connection whose end was not reported`() {
        let table = tableOfFirst()
        table.accepted(at: place, owner: "b", at: .zero)
        #expect(table.takeLostPeers() == [first])
        #expect(table.count == 1)
        #expect(table[place]?.owner == "b")
        #expect(table[place]?.number == 2)
    }

    @Test func `a peer whose message is read after its end is lost again`() {
        let table = tableOfFirst()
        table.ended(at: place)
        _ = table.takeLostPeers()
        #expect(!table.delivered(by: first, over: place))
        table.introduce(first, over: place)
        #expect(table.takeLostPeers() == [first])
    }

    @Test func `the last message of a predecessor loses no peer`() {
        let table = tableOfFirst()
        table.ended(at: place)
        table.accepted(at: place, owner: "b", at: .zero)
        table.introduce(second, over: place)
        _ = table.takeLostPeers()
        #expect(!table.delivered(by: first, over: place))
        table.introduce(first, over: place)
        #expect(table.takeLostPeers().isEmpty)
        #expect(!table.delivered(by: second, over: place))
        table.introduce(second, over: place)
        #expect(table.delivered(by: second, over: place), "introduced once more, it is known again")
        table.ended(at: place)
        #expect(Set(table.takeLostPeers()) == [first, second])
    }

    @Test func `a peer that uses another connection is not lost with the first`() {
        let table = tableOfFirst()
        let elsewhere = ConnectionTable.Place(socket: 0, descriptor: 10)
        table.accepted(at: elsewhere, owner: "a", at: .zero)
        table.introduce(first, over: elsewhere)
        table.ended(at: place)
        #expect(table.takeLostPeers().isEmpty)
        #expect(table.place(of: first) == elsewhere)
        table.ended(at: elsewhere)
        #expect(table.takeLostPeers() == [first])
    }

    @Test func `the descriptors of two sockets are two places`() {
        let table = tableOfFirst()
        let other = ConnectionTable.Place(socket: 1, descriptor: place.descriptor)
        table.accepted(at: other, owner: "b", at: .zero)
        table.table.delivered(over: other)
        table.table.identified(other, as: "c")
        table.ended(at: place)
        #expect(table.takeLostPeers() == [first])
        #expect(table.all.map(\.owner) == ["c"])
        #expect(table[other]?.deliveredBytes == 1)
    }
}
