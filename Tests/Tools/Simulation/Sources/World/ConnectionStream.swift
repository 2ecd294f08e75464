import BrokerMachine
import Majordomo

/// The broker socket's connection events, in the order of their occurrence.
struct ConnectionStream {
    enum Event {
        case accepted(Connection), ended(Connection)
    }

    private var events: [Event] = []
    private var descriptors: Set<Int32> = []

    /// Assigns the lowest free descriptor to a connection.
    mutating func accept(_ connection: Connection) {
        var descriptor: Int32 = 8
        while descriptors.contains(descriptor) { descriptor += 1 }
        descriptors.insert(descriptor)
        connection.place = ConnectionTable.Place(socket: 0, descriptor: descriptor)
        events.append(.accepted(connection))
    }

    /// Frees the descriptor at once.
    mutating func end(_ connection: Connection, isReportedTwice: Bool) {
        guard !connection.isEndReported, let place = connection.place else { return }
        connection.isEndReported = true
        descriptors.remove(place.descriptor)
        events += Array(repeating: .ended(connection), count: isReportedTwice ? 2 : 1)
    }

    mutating func takeAll() -> [Event] {
        defer { events = [] }
        return events
    }
}
