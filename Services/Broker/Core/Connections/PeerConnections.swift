import BrokerMachine
import Contracts
import Envelope
import Majordomo
import MessageBus
import ZeroMQ

/// The connections of the broker's sockets: their owners, what they cost, and which must end.
///
/// It shuts a connection down; libzmq then closes the descriptor and reports the end as for any other connection.
struct PeerConnections {
    typealias Place = ConnectionTable.Place

    /// The numbers of the broker's sockets in `Place`.
    enum SocketNumber {
        static let requests = 0, eventsIn = 1, events = 2
    }

    /// Bytes in messages that one peer, and all peers together, may leave unread. Small messages are not counted: they
    /// are bounded by a pipe's high-water mark.
    static let maxUnread = 64 << 20
    static let maxUnreadInAll = 256 << 20
    private static let smallMessage = 16 << 10
    /// Bytes sent to a peer between two checks whether its descriptor is writable.
    private static let bytesBetweenChecks = 4 << 20

    /// What a socket has read since the last check.
    private struct Progress {
        var messages = 0
        /// The last iteration read the maximum number of messages: more may wait.
        var mayBeBacklogged = false
    }

    private let limit: Int
    private(set) var table = ConnectionTable()
    private(set) var endedCounts: [ConnectionEnd.Reason: Int] = [:]
    private var accepted: [Place: AcceptedConnection] = [:]
    private var unfinished: [Place: UnfinishedMessage] = [:]
    private var unread: [Place: Int] = [:]
    private var unreadInAll = 0
    private var progress: [Int: Progress] = [:]
    private var nextCheck: Duration?
    private var unreported: [ConnectionEnd: Int] = [:]
    private var quietUntil: Duration = .zero

    /// - Parameter limit: connections beyond which some are ended.
    init(limit: Int) {
        self.limit = limit
    }

    // MARK: Connection events

    /// Applies the events of a socket's monitor.
    ///
    /// - Returns: the handshakes that have failed.
    mutating func read(_ events: [ConnectionEvent], ofSocket socket: Int, at now: Duration) -> [HandshakeFailure] {
        var failures: [HandshakeFailure] = []
        for event in events {
            switch event {
            case .accepted(let connection): begin(connection, ofSocket: socket, at: now)
            case .ended(let descriptor):
                forget(Place(socket: socket, descriptor: descriptor))
                table.ended(at: Place(socket: socket, descriptor: descriptor))
            case .handshakeFailed(let failure): failures.append(failure)
            }
        }
        for connection in table.surplus(above: limit, at: now) { end(connection.place, because: .tooMany) }
        return failures
    }

    private mutating func begin(_ connection: AcceptedConnection, ofSocket socket: Int, at now: Duration) {
        let place = Place(socket: socket, descriptor: connection.descriptor)
        forget(place)
        accepted[place] = connection
        let owner = connection.process.map { "process \($0)" } ?? connection.address ?? "unknown"
        table.accepted(at: place, owner: owner, at: now)
        if connection.readBytes != nil {
            unfinished[place] = UnfinishedMessage(at: now)
            if nextCheck == nil { nextCheck = now + BrokerTiming.progressInterval }
        }
    }

    private mutating func forget(_ place: Place) {
        accepted[place] = nil
        unfinished[place] = nil
        unreadInAll -= unread.removeValue(forKey: place) ?? 0
    }

    mutating func takeLostPeers() -> [PeerID] { table.takeLostPeers() }

    // MARK: Messages

    /// Records the end of an iteration of a socket's reader.
    mutating func recordIteration(ofSocket socket: Int, messages: Int) {
        // No connection is measured.
        guard nextCheck != nil else { return }
        progress[socket, default: Progress()].messages += messages
        progress[socket]?.mayBeBacklogged = messages == Socket.maxBatch
    }

    /// Counts a message of a ROUTER.
    ///
    /// - Returns: false when its peer is not known yet: read the connection events, then call `introduce`.
    mutating func recordDelivery(of message: AddressedMessage) -> Bool {
        table.delivered(
            by: message.address, over: place(of: message), bytes: UnfinishedMessage.size(of: message.frames))
    }

    mutating func introduce(_ message: AddressedMessage) {
        let place = place(of: message)
        table.introduce(message.address, over: place, bytes: UnfinishedMessage.size(of: message.frames))
        identify(place, message.origin)
    }

    private func place(of message: AddressedMessage) -> Place {
        Place(socket: SocketNumber.requests, descriptor: message.origin.descriptor)
    }

    /// Whether the connection events of this message's connection have been read.
    func isKnown(_ origin: MessageOrigin, ofSocket socket: Int) -> Bool {
        table[Place(socket: socket, descriptor: origin.descriptor)] != nil
    }

    /// Counts a message of a socket that does not identify its peers; its connection events are read first.
    mutating func recordDelivery(of frames: [Frame], from origin: MessageOrigin, ofSocket socket: Int) {
        let place = Place(socket: socket, descriptor: origin.descriptor)
        table.delivered(over: place, bytes: UnfinishedMessage.size(of: frames))
        if origin.userID != nil { identify(place, origin) }
    }

    private mutating func identify(_ place: Place, _ origin: MessageOrigin) {
        if let principal = origin.userID.flatMap(Principal.init(userID:)) {
            table.identified(place, as: principal.key.description)
        }
    }

    /// Counts the bytes sent to a peer, and ends its connection when it leaves too many unread.
    mutating func recordSend(of bytes: Int, to peer: PeerID) {
        guard bytes >= Self.smallMessage, let place = table.place(of: peer) else { return }
        let before = unread[place, default: 0]
        unread[place] = before + bytes
        unreadInAll += bytes
        // Not for every message: the check is a system call.
        if before / Self.bytesBetweenChecks != (before + bytes) / Self.bytesBetweenChecks { checkUnread(at: place) }
        if unreadInAll > Self.maxUnreadInAll { reduceUnread() }
    }

    /// A writable descriptor counts as having read everything that was sent before.
    private mutating func checkUnread(at place: Place) {
        if accepted[place]?.isWritable != false {
            unreadInAll -= unread.removeValue(forKey: place) ?? 0
        } else if unread[place, default: 0] > Self.maxUnread {
            end(place, because: .unread)
        }
    }

    private mutating func reduceUnread() {
        for place in unread.keys { checkUnread(at: place) }
        while unreadInAll > Self.maxUnreadInAll, let most = unread.max(by: { $0.value < $1.value })?.key {
            end(most, because: .unread)
        }
    }

    // MARK: Ends

    private mutating func end(_ place: Place, because reason: ConnectionEnd.Reason) {
        unreadInAll -= unread.removeValue(forKey: place) ?? 0
        guard let owner = table[place]?.owner, table.markEnding(place) else { return }
        accepted[place]?.shutDown()
        endedCounts[reason, default: 0] += 1
        unreported[ConnectionEnd(reason: reason, owner: owner), default: 0] += 1
    }

    /// Ends the connection of a worker that was removed for its silence.
    mutating func endConnection(of peer: PeerID) {
        if let place = table.place(of: peer) { end(place, because: .silent) }
    }

    /// Ends the connections of these keys, and those whose key is unknown because they have sent nothing; clients with
    /// listed keys reconnect.
    mutating func endConnections(ofKeys keys: [CurvePublicKey]) {
        let removed = Set(keys.map(\.description))
        for connection in table.all
        where removed.contains(connection.owner) || (isOnNetwork(connection) && connection.deliveredBytes == 0) {
            end(connection.place, because: .keyRemoved)
        }
    }

    private func isOnNetwork(_ connection: ConnectionTable.Connection) -> Bool {
        accepted[connection.place]?.address != nil
    }

    // MARK: Time

    var nextDeadline: Duration? {
        guard !unreported.isEmpty else { return nextCheck }
        return nextCheck.map { min($0, quietUntil) } ?? quietUntil
    }

    /// Ends connections that send a message without an end.
    mutating func ticked(at now: Duration) {
        guard let due = nextCheck, due <= now else { return }
        nextCheck =
            unfinished.isEmpty
            ? nil : now + max(BrokerTiming.progressInterval, BrokerTiming.progressCost * unfinished.count)
        defer { progress = [:] }
        for place in unfinished.keys where hasReadAll(ofSocket: place.socket) {
            guard let bytes = accepted[place]?.readBytes, let delivered = table[place]?.deliveredBytes else { continue }
            if unfinished[place]?.isTooLarge(bytes: bytes, deliveredBytes: delivered, at: now) == true {
                end(place, because: .unfinishedMessage)
            }
        }
    }

    /// Whether every message that was present at the last check has been read: libzmq reads from the peers in rotation.
    private func hasReadAll(ofSocket socket: Int) -> Bool {
        guard let progress = progress[socket], progress.mayBeBacklogged else { return true }
        return progress.messages > table.count
    }

    var hasReport: Bool { !unreported.isEmpty }

    /// The connections ended since the last report, as sums: many ends must not displace all other events from the
    /// ring.
    mutating func takeReport(at now: Duration) -> [(end: ConnectionEnd, count: Int)] {
        guard !unreported.isEmpty, quietUntil <= now else { return [] }
        defer { (unreported, quietUntil) = ([:], now + BrokerTiming.connectionReportInterval) }
        return unreported.sorted { $0.value > $1.value }.map { ($0.key, $0.value) }
    }
}

/// Why the broker ended connections, and their owner.
struct ConnectionEnd: Sendable, Hashable {
    /// The raw value is the word in events and counters.
    enum Reason: String, Sendable, CaseIterable {
        /// Half of the process's descriptors were in use.
        case tooMany = "too_many"
        /// A message grew beyond its bound without an end.
        case unfinishedMessage = "unfinished_message"
        /// The peer does not read the replies to its requests.
        case unread
        /// A worker was silent, and another one may need its identity.
        case silent
        /// The peer's key is no longer listed.
        case keyRemoved = "key_removed"
    }

    let reason: Reason
    /// A key, an address, or a process of this machine.
    let owner: String

    func event(count: Int, at microseconds: Int64, source: String) -> Event {
        Event(
            at: microseconds, kind: EventKind.connectionsEnded, source: source,
            attributes: ["reason": .text(reason.rawValue), "owner": .text(owner), "count": .number(count)])
    }
}
