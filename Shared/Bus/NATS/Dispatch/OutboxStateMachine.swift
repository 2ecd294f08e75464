/// The events on their way into the stream of the servers, each until the stream has confirmed it.
///
/// A pure value. A batch waits for the receipts of the one before, so that events stay in order; within a batch an event
/// that the servers have lost comes after those that they have stored. An event is sent again under its id until there is a
/// receipt, and the servers store an id once.
struct OutboxStateMachine: Sendable {
    struct Entry: Sendable, Equatable {
        /// Random: who knew it before could use it first.
        let id: UInt64
        let subject: String
        let json: [UInt8]

        init(id: UInt64, subject: String, json: [UInt8]) {
            self.id = id
            self.subject = subject
            self.json = json
        }
    }

    enum Receipt: Sendable, CaseIterable {
        case stored
        /// Not stored, and it never will be.
        case refused
        /// Not stored now.
        case unavailable
        /// An earlier attempt is on its way into the stream.
        case underway
    }

    private let timing: OutboxTiming
    /// Those without a receipt, oldest first.
    private(set) var entries: [Entry] = []
    /// When they are sent again; nil without entries.
    private(set) var deadline: Duration?
    /// When the batch was sent at first.
    private var start = Duration.zero
    private var pause: Duration

    init(timing: OutboxTiming = OutboxTiming()) {
        self.timing = timing
        pause = timing.pause
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Begins a batch; the one before is complete.
    mutating func begin(_ batch: [Entry], at now: Duration) {
        precondition(isEmpty)
        entries = batch
        deadline = isEmpty ? nil : now + timing.silence
        start = now
        pause = timing.pause
    }

    /// - Parameter id: of the event; others than those of the present entries are ignored.
    /// - Returns: the number of lost events.
    mutating func receive(_ receipt: Receipt, of id: UInt64, at now: Duration) -> Int {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return 0 }
        switch receipt {
        case .unavailable:
            delay(at: now)
            return 0
        case .underway where now < start + timing.underwayLimit:
            delay(at: now)
            return 0
        case .stored, .refused, .underway:
            entries.remove(at: index)
            if isEmpty { deadline = nil }
            return receipt == .stored ? 0 : 1
        }
    }

    /// Sends all entries again after a pause: the servers have no stream, or cannot store at present.
    mutating func delay(at now: Duration) {
        deadline = deadline.map { min($0, now + pause) }
    }

    /// The servers do not permit the events of this subject.
    ///
    /// - Returns: the number of lost events.
    mutating func deny(_ subject: String) -> Int {
        let count = entries.count
        entries.removeAll { $0.subject == subject }
        if isEmpty { deadline = nil }
        return count - entries.count
    }

    /// What was sent over the connection before may have been lost with it.
    mutating func reconnect(at now: Duration) {
        if !isEmpty { deadline = now }
    }

    /// The entries to repeat when their deadline has passed; each further pause is twice as long.
    ///
    /// - Returns: the number of events that are given up, because the servers may have forgotten their ids.
    mutating func repeatEntries(at now: Duration) -> (again: [Entry], dropped: Int) {
        guard let deadline, deadline <= now else { return ([], 0) }
        if start + timing.lifetime <= now { return ([], removeAll()) }
        self.deadline = now + timing.silence
        pause = min(pause * 2, timing.silence)
        return (entries, 0)
    }

    /// Gives up.
    ///
    /// - Returns: the number of events that may be lost.
    mutating func removeAll() -> Int {
        defer { (entries, deadline) = ([], nil) }
        return entries.count
    }
}
