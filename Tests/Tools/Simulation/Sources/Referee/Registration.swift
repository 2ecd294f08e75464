/// A worker as the broker knows it.
final class Registration {
    unowned let connection: Connection
    let service: [UInt8]
    let instance: String
    let capacity: Int
    let interval: Duration
    /// Its READY had none of our options.
    let isPlain: Bool
    let isExclusive: Bool
    let joinedAt: Duration
    /// Nil for a worker that does not name its process.
    let process: CrashBook.Process?
    var isLive = true
    var isDraining = false
    /// When the broker last read a message of it.
    var lastHeard: Duration
    var outstanding: [Dispatch] = []
    var lastFullAt: Duration
    /// In the broker's current step.
    var hasGotMore = false

    init(
        connection: Connection, service: [UInt8], instance: String, capacity: Int, interval: Duration,
        isPlain: Bool, isExclusive: Bool, joinedAt: Duration, process: CrashBook.Process?
    ) {
        self.connection = connection
        self.service = service
        self.instance = instance
        self.capacity = capacity
        self.interval = interval
        self.isPlain = isPlain
        self.isExclusive = isExclusive
        self.joinedAt = joinedAt
        self.process = process
        lastHeard = joinedAt
        lastFullAt = joinedAt
    }

    var isFull: Bool { outstanding.count >= capacity }
    /// Whether a suspect is in flight there.
    var isIsolated: Bool { outstanding.contains(where: \.isSuspect) }
    var held: [CrashBook.Likeness] { outstanding.map(\.admission.likeness) }
    /// Without what is sent at that time, which cannot have reached it.
    func held(before time: Duration) -> [CrashBook.Likeness] {
        outstanding.filter { $0.time != time || !$0.admission.isLive }.map(\.admission.likeness)
    }
}
