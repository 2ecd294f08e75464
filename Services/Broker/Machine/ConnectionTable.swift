public import Majordomo

/// Which peer uses which descriptor of the broker's sockets, and which connections to end when there are too many.
///
/// A descriptor is reused as soon as its connection has ended, so each accepted connection gets its own number. The
/// owner of the table reads the connection events of a socket in order, before it introduces a peer and whenever there
/// are events. An end removes only its own connection, even if it is reported twice, before the last messages of its
/// connection are read, or long after. All times are those of the broker's monotonic clock.
public struct ConnectionTable: Sendable {
    /// A descriptor as reported by one socket: the events of two sockets have no common order.
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
        /// The sequence number of the connection since the broker's start.
        public let number: UInt64
        /// The owner, as far as known: a key, an address or a process.
        public internal(set) var owner: String
        public let acceptedAt: Duration
        /// The size of the messages received over it, as reported by their reader; 0 without a message.
        public internal(set) var deliveredBytes: Int64 = 0
        /// It has been shut down, and its end has not been reported yet.
        public internal(set) var isEnding = false
        /// Usually one; more if the last message of an earlier connection of this descriptor is read late.
        var peers: [PeerID] = []
    }

    /// A connection without messages that is still open after this time has completed its handshake.
    let handshakeLimit: Duration
    var connections: [Place: Connection] = [:]
    /// The place and connection of the last message of each peer.
    private var lastPlaces: [PeerID: (place: Place, number: UInt64)] = [:]
    private var lostPeers: [PeerID] = []
    private var lastNumber: UInt64 = 0
    /// Connections that have not been shut down.
    public internal(set) var openCount = 0

    /// - Parameter handshakeLimit: slightly more than the handshake time that the sockets allow.
    public init(handshakeLimit: Duration = MajordomoTiming().handshakeLimit) {
        self.handshakeLimit = handshakeLimit
    }

    /// Connections that have not ended, including those that have been shut down.
    public var count: Int { connections.count }

    /// In no particular order.
    public var all: some Collection<Connection> { connections.values }

    public subscript(_ place: Place) -> Connection? { connections[place] }

    // MARK: Connection events, in the order of their socket

    public mutating func accepted(at place: Place, owner: String, at now: Duration) {
        // Ends an earlier connection whose end was not reported.
        ended(at: place)
        lastNumber += 1
        openCount += 1
        connections[place] = Connection(place: place, number: lastNumber, owner: owner, acceptedAt: now)
    }

    public mutating func ended(at place: Place) {
        guard let connection = connections.removeValue(forKey: place) else { return }
        if !connection.isEnding { openCount -= 1 }
        for peer in connection.peers where lastPlaces[peer]?.number == connection.number {
            lastPlaces[peer] = nil
            lostPeers.append(peer)
        }
    }

    /// Takes the peers whose connections have ended. Call this after all received messages are read: messages that a
    /// peer sent before its end are still valid.
    public mutating func takeLostPeers() -> [PeerID] {
        defer { lostPeers = [] }
        return lostPeers
    }

    public var hasLostPeers: Bool { !lostPeers.isEmpty }

    // MARK: Messages

    /// Counts a message of a peer that is known at that place.
    ///
    /// - Returns: false when it is not known there: read the connection events, then call `introduce`.
    public mutating func delivered(by peer: PeerID, over place: Place, bytes: Int64 = 1) -> Bool {
        guard let index = connections.index(forKey: place), connections.values[index].peers.last == peer else {
            return false
        }
        connections.values[index].deliveredBytes &+= bytes
        return true
    }

    /// Counts a message of a socket without peer addresses.
    public mutating func delivered(over place: Place, bytes: Int64 = 1) {
        guard let index = connections.index(forKey: place) else { return }
        connections.values[index].deliveredBytes &+= bytes
    }

    /// Records the first message of a peer at that place. If the connection has already ended, the peer is lost again.
    public mutating func introduce(_ peer: PeerID, over place: Place, bytes: Int64 = 1) {
        guard let index = connections.index(forKey: place) else {
            lostPeers.append(peer)
            return
        }
        connections.values[index].deliveredBytes &+= bytes
        // The next message is expected from the last peer of the list.
        connections.values[index].peers.removeAll { $0 == peer }
        connections.values[index].peers.append(peer)
        lastPlaces[peer] = (place, connections.values[index].number)
    }

    /// The owner of the connection has been identified.
    public mutating func identified(_ place: Place, as owner: String) {
        connections[place]?.owner = owner
    }

    /// The place of the last message of a peer.
    public func place(of peer: PeerID) -> Place? { lastPlaces[peer]?.place }
}
