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
