/// Which peer speaks over which descriptor of the broker's sockets, and which connections to end when there are too many.
///
/// A descriptor is used again as soon as its connection has ended, so each connection that is accepted is one of its own,
/// with a number. The owner reads the connection events of a socket in their order, before it introduces a peer and
/// whenever there are some; an end that is reported twice, or before the last messages of its connection are read, or long
/// after, removes its own connection only. All times are those of the broker's monotonic clock.
public struct ConnectionTable: Sendable {
    /// A descriptor as one socket reports it: the events of two sockets have no common order.
    public struct Place: Sendable, Hashable {
        public let socket: Int
        public let descriptor: Int32

        public init(socket: Int, descriptor: Int32) {
            self.socket = socket
            self.descriptor = descriptor
        }
    }

    public struct Connection: Sendable {
        public let place: Place
        /// Counts the connections from the broker's start.
        public let number: UInt64
        /// Who holds it, as far as is known: a key, an address or a process.
        public internal(set) var owner: String
        public let acceptedAt: Duration
        /// How many messages have come over it.
        public internal(set) var deliveries: UInt64 = 0
        /// It has been shut down, and its end is yet to be reported.
        public internal(set) var isEnding = false
        /// One, but for the last message of an earlier connection of this descriptor.
        var peers: [PeerID] = []
    }

    /// After this time a connection that has said nothing has completed its handshake all the same, or it would be gone.
    let handshakeLimit: Duration
    var connections: [Place: Connection] = [:]
    /// Where, and over which connection, a peer was last heard.
    private var heard: [PeerID: (place: Place, number: UInt64)] = [:]
    private var lostPeers: [PeerID] = []
    private var lastNumber: UInt64 = 0
    /// Connections that have not been shut down.
    public internal(set) var openCount = 0

    /// - Parameter handshakeLimit: a little more than the sockets allow for a handshake.
    public init(handshakeLimit: Duration = MajordomoTiming().handshakeLimit) {
        self.handshakeLimit = handshakeLimit
    }

    /// Connections that have not ended, those that have been shut down included.
    public var count: Int { connections.count }

    /// In no particular order.
    public var all: some Collection<Connection> { connections.values }

    public subscript(_ place: Place) -> Connection? { connections[place] }

    // MARK: Connection events, in the order of their socket

    public mutating func accepted(at place: Place, owner: String, at now: Duration) {
        // The end of an earlier one was not reported.
        ended(at: place)
        lastNumber += 1
        openCount += 1
        connections[place] = Connection(place: place, number: lastNumber, owner: owner, acceptedAt: now)
    }

    public mutating func ended(at place: Place) {
        guard let connection = connections.removeValue(forKey: place) else { return }
        if !connection.isEnding { openCount -= 1 }
        for peer in connection.peers where heard[peer]?.number == connection.number {
            heard[peer] = nil
            lostPeers.append(peer)
        }
    }

    /// Takes the peers whose connections have ended. To be called when every message that had come is read: what a peer
    /// has sent before its end counts.
    public mutating func takeLostPeers() -> [PeerID] {
        defer { lostPeers = [] }
        return lostPeers
    }

    public var hasLostPeers: Bool { !lostPeers.isEmpty }

    // MARK: Messages

    /// Counts a message of a peer that is known to speak there.
    ///
    /// - Returns: false when it is not known: read the connection events, then call `introduce`.
    public mutating func delivered(by peer: PeerID, over place: Place) -> Bool {
        guard let index = connections.index(forKey: place), connections.values[index].peers.last == peer else {
            return false
        }
        connections.values[index].deliveries &+= 1
        return true
    }

    /// The same of a socket that names no peers.
    public mutating func delivered(over place: Place) {
        guard let index = connections.index(forKey: place) else { return }
        connections.values[index].deliveries &+= 1
    }

    /// A peer speaks there for the first time. One whose connection has ended already is lost once more.
    public mutating func introduce(_ peer: PeerID, over place: Place) {
        guard let index = connections.index(forKey: place) else {
            lostPeers.append(peer)
            return
        }
        connections.values[index].deliveries &+= 1
        // The last is the one whose next message is expected.
        connections.values[index].peers.removeAll { $0 == peer }
        connections.values[index].peers.append(peer)
        heard[peer] = (place, connections.values[index].number)
    }

    /// It has turned out who holds the connection.
    public mutating func identified(_ place: Place, as owner: String) {
        connections[place]?.owner = owner
    }

    /// Where a peer was last heard.
    public func place(of peer: PeerID) -> Place? { heard[peer]?.place }
}
