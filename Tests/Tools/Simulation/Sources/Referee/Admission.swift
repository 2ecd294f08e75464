/// A request in the broker's ledger, as the referee observes it from outside.
final class Admission {
    enum State { case queued, dispatched, ended }

    unowned let call: Call
    unowned let connection: Connection
    let likeness: CrashBook.Likeness
    let arrivedAt: Duration
    let deadline: Duration
    var state = State.queued
    var dispatches: [Dispatch] = []
    var hasPartial = false

    init(
        call: Call, connection: Connection, likeness: CrashBook.Likeness, arrivedAt: Duration, deadline: Duration
    ) {
        self.call = call
        self.connection = connection
        self.likeness = likeness
        self.arrivedAt = arrivedAt
        self.deadline = deadline
    }

    var isLive: Bool { state != .ended }
}

/// An admission that is dispatched to a worker.
final class Dispatch {
    unowned let admission: Admission
    unowned let registration: Registration
    let ticket: [UInt8]
    let body: [[UInt8]]
    let time: Duration
    /// Whether the worker has not answered, and is registered.
    var isOutstanding = true
    /// When its worker was lost.
    var lostAt: Duration?
    var isBegun = false
    /// Whether its worker must have nothing else in flight.
    var isSuspect = false
    /// Whether the worker has ended its work without a reply, so that the request may be redelivered after it has left.
    var isWithheld = false

    init(admission: Admission, registration: Registration, ticket: [UInt8], body: [[UInt8]], time: Duration) {
        self.admission = admission
        self.registration = registration
        self.ticket = ticket
        self.body = body
        self.time = time
    }
}
