import BrokerMachine
import Majordomo
import MessageBus

/// How messages travel.
enum NetworkLaw: String, CaseIterable {
    /// ZeroMQ's: in order within a connection; a break loses the last messages of each direction.
    case zeromq
    /// Messages are lost, duplicated and reordered.
    case lawless
}

/// One connection of a peer to one run of the broker.
final class Connection {
    /// One direction: messages in transit, and messages that have arrived while the reader is suspended.
    struct Lane {
        var messages: [[Frame]] = []
        var unread = 0
        /// When the last one arrives; the next arrives after it.
        var lastDue: Duration = .zero
    }

    enum News {
        case connected, lost
    }

    let number: Int
    unowned let owner: Peer
    /// The life of the owner to which it belongs.
    let life: Int
    /// The run of the broker that accepted it; nil before the handshake.
    var run: Int?
    var openedAt: Duration = .zero
    /// Its present or last descriptor.
    var place: ConnectionTable.Place?
    var isEndReported = false
    var isBroken = false
    var isClosed = false
    /// Whether the broker's ROUTER knows the peer.
    var isRoutable = false
    var up = Lane()
    var down = Lane()
    /// The end of its last fault.
    var troubledUntil: Duration = .zero
    /// Reports that its owner has not received yet.
    var news: [News] = []
    /// When the peer's pipe was last full.
    var lastDropAt: Duration = .zero
    /// How many of the next messages to the peer find its pipe full.
    var fullFor = 0
    /// The referee's record of it.
    var registration: Registration?
    /// Whether its worker has opened another one, or has ended without receiving anything over it.
    var isGivenUp = false
    /// Whether a message of the broker has reached the peer.
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

    /// The address as a ROUTER assigns it, a zero byte and four more; plain workers have chosen their own.
    var peer: PeerID {
        [owner is PlainWorkerPeer ? 1 : 0] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    static func number(of peer: PeerID) -> Int { peer.dropFirst().reduce(0) { $0 << 8 | Int($1) } }
}
