import Majordomo
import MessageBus

/// A request of a caller, and its outcome.
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
    /// The messages that carried it: one, or one for each connection.
    var messages: [Message] = []
    var workersBegun = 0
    var isOver = false
    var isAnswered = false
    /// Whether the process that begins it crashes.
    var isPoison = false

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
