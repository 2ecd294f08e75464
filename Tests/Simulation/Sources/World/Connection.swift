import Majordomo

/// How messages travel.
enum NetworkLaw: String, CaseIterable {
    /// ZeroMQ's: in order within a connection; a break loses any last part either way.
    case zeromq
    /// Messages are lost, doubled and overtake each other.
    case lawless
}

/// One connection of a peer to one run of the broker.
final class Connection {
    /// One direction: what is on its way, and what lies at the reader's door while that stands still.
    struct Lane {
        var messages: [[Frame]] = []
        var unread = 0
        /// When the last one arrives; the next comes after it.
        var lastDue: Duration = .zero
    }

    enum News {
        case connected, lost
    }

    let number: Int
    unowned let owner: Peer
    /// Which life of the owner it belongs to.
    let life: Int
    /// Which run of the broker accepted it; nil before the handshake.
    var run: Int?
    var openedAt: Duration = .zero
    /// The descriptor that it has, or had.
    var place: ConnectionTable.Place?
    var isEndReported = false
    var isBroken = false
    var isClosed = false
    /// The broker's ROUTER knows the peer.
    var isRoutable = false
    var up = Lane()
    var down = Lane()
    /// The last time at which something was wrong with it.
    var troubledUntil: Duration = .zero
    /// What its owner has not been told yet.
    var news: [News] = []
    /// When the peer's pipe was last full.
    var lastDropAt: Duration = .zero
    /// How many of the next messages to the peer find its pipe full.
    var fullFor = 0
    /// What the referee knows of it.
    var registration: Registration?
    /// Its worker has opened another one, or has ended without having heard anything over it.
    var isGivenUp = false
    /// Something of the broker's has reached the peer.
    var hasBeenHeard = false
    var messages: [(id: RequestID?, number: Int)] = []
    var hasSaidReady = false
    var hasSaidGoodbye = false

    init(number: Int, owner: Peer) {
        self.number = number
        self.owner = owner
        life = owner.life
    }

    var isOpen: Bool { run != nil && !isBroken && !isClosed }

    /// As a ROUTER names its peers: a zero byte and four more.
    var peer: PeerID { [0] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }

    static func number(of peer: PeerID) -> Int { peer.dropFirst().reduce(0) { $0 << 8 | Int($1) } }
}
