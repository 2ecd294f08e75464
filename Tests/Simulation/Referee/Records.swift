import Majordomo

/// A request of a caller, and what became of it.
final class Call: CustomStringConvertible {
    let number: Int
    unowned let client: Peer
    /// Nil for a plain client's.
    let id: RequestID?
    let service: Frame
    let isIdempotent: Bool
    let askedAt: Duration
    let deadline: Duration
    /// How long a worker works on it.
    let work: Duration
    /// The messages it was sent as: one, or one for each connection.
    var messages: [Message] = []
    var workersBegun = 0
    var isOver = false
    var isAnswered = false

    init(
        number: Int, client: Peer, id: RequestID?, service: Frame, isIdempotent: Bool, askedAt: Duration,
        deadline: Duration, work: Duration
    ) {
        self.number = number
        self.client = client
        self.id = id
        self.service = service
        self.isIdempotent = isIdempotent
        self.askedAt = askedAt
        self.deadline = deadline
        self.work = work
    }

    var isPlain: Bool { id == nil }
    var description: String { "call \(number) of \(client.name)" }
}

/// A request on the wire.
final class Message {
    let number: Int
    unowned let call: Call
    unowned let connection: Connection
    /// Its latest entry in the ledger.
    var admission: Admission?

    init(number: Int, call: Call, connection: Connection) {
        self.number = number
        self.call = call
        self.connection = connection
    }
}

/// A request in the broker's ledger, as the referee sees it from outside.
final class Admission {
    enum State { case queued, handedOut, ended }

    unowned let call: Call
    unowned let connection: Connection
    let arrivedAt: Duration
    let deadline: Duration
    var state = State.queued
    var handOuts: [HandOut] = []
    var hasPartial = false

    init(call: Call, connection: Connection, arrivedAt: Duration, deadline: Duration) {
        self.call = call
        self.connection = connection
        self.arrivedAt = arrivedAt
        self.deadline = deadline
    }

    var isLive: Bool { state != .ended }
}

final class HandOut {
    unowned let admission: Admission
    unowned let registration: Registration
    let ticket: [UInt8]
    let body: [[UInt8]]
    /// The worker has not answered, and is registered.
    var isOutstanding = true
    /// When its worker was lost.
    var lostAt: Duration?
    var isBegun = false

    init(admission: Admission, registration: Registration, ticket: [UInt8], body: [[UInt8]]) {
        self.admission = admission
        self.registration = registration
        self.ticket = ticket
        self.body = body
    }
}

/// A worker as the broker knows it.
final class Registration {
    unowned let connection: Connection
    let service: [UInt8]
    let instance: String
    let capacity: Int
    let interval: Duration
    let isExclusive: Bool
    let joinedAt: Duration
    var isLive = true
    var isDraining = false
    /// When the broker read something of it.
    var lastHeard: Duration
    var outstanding: [HandOut] = []
    var lastFullAt: Duration

    init(
        connection: Connection, service: [UInt8], instance: String, capacity: Int, interval: Duration,
        isExclusive: Bool, joinedAt: Duration
    ) {
        self.connection = connection
        self.service = service
        self.instance = instance
        self.capacity = capacity
        self.interval = interval
        self.isExclusive = isExclusive
        self.joinedAt = joinedAt
        lastHeard = joinedAt
        lastFullAt = joinedAt
    }

    var isFull: Bool { outstanding.count >= capacity }
}
