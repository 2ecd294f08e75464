internal import MessageBus

/// How a process holds a name that only one may have, by a record that all can read.
///
/// A pure value. The holder writes the record again and again; each write states the revision that it replaces, so that
/// of two writers one fails. Whether a holder is alive is judged by the contender's own clock: it is gone when its record
/// has not changed for some time. The clocks of machines are never compared.
struct ClaimStateMachine: Sendable {
    /// What to do next.
    enum Step: Sendable, Equatable {
        /// Read the record; `found` or `failed` follows.
        case read
        /// Write the own record in place of that revision, 0 for none; `written`, `conflicted` or `failed` follows.
        case write(replacing: UInt64)
        case wait(until: Duration)
        /// Another process has the name.
        case dismissed(WorkerDismissal)
    }

    struct Record: Sendable, Equatable {
        let instance: String
        let process: UInt64

        init(instance: String, process: UInt64) {
            self.instance = instance
            self.process = process
        }
    }

    private enum Phase: Sendable {
        case reading
        case writing(replacing: UInt64)
        /// Another holder's record is observed.
        case observing(again: Duration)
        case holding(next: Duration)
        case retrying(Duration)
        case dismissed
    }

    private let own: Record
    private let dismissal: WorkerDismissal
    private let timing: ClaimTiming
    private var phase = Phase.reading
    private var revision: UInt64 = 0
    /// A foreign record, and since when it has been unchanged.
    private var observed: (revision: UInt64, since: Duration)?
    /// Whether the name has been held; then another holder has taken it.
    private var hasHeld = false
    /// The revision that a refused write replaced, until the next read.
    private var refused: UInt64?

    /// - Parameter dismissal: `doubled` for the name of an instance, which a newcomer takes at once; `exclusive` for a
    ///   service, which a newcomer leaves to a living holder of another name.
    init(_ own: Record, dismissal: WorkerDismissal, timing: ClaimTiming = ClaimTiming()) {
        self.own = own
        self.dismissal = dismissal
        self.timing = timing
    }

    /// The revision of the own record; nil while the name is not held.
    var heldRevision: UInt64? { hasHeld ? revision : nil }

    mutating func nextStep(at now: Duration) -> Step {
        switch phase {
        case .reading: return .read
        case .writing(let replaced): return .write(replacing: replaced)
        case .observing(let again):
            if again > now { return .wait(until: again) }
            phase = .reading
            return .read
        case .holding(let next):
            if next > now { return .wait(until: next) }
            phase = .writing(replacing: revision)
            return .write(replacing: revision)
        case .retrying(let again):
            if again > now { return .wait(until: again) }
            phase = .reading
            return .read
        case .dismissed: return .dismissed(dismissal)
        }
    }

    /// - Parameters:
    ///   - record: nil when there is none, or when its holder has given it up.
    ///   - revision: of the last record, given up or not; 0 without one.
    mutating func found(_ record: Record?, revision found: UInt64, at now: Duration) {
        defer { refused = nil }
        guard refused != found else {
            // The servers contradict themselves: an earlier write is on its way, or was lost with their leader.
            phase = .retrying(now + timing.retry)
            return
        }
        guard let record, record.process != own.process else {
            phase = .writing(replacing: found)
            return
        }
        guard !hasHeld else {
            phase = .dismissed
            return
        }
        // A successor of the same name: the earlier process has ended, or is expelled by the next write.
        guard dismissal == .exclusive, record.instance != own.instance else {
            phase = .writing(replacing: found)
            return
        }
        guard let observed else {
            observed = (found, now)
            phase = .observing(again: now + timing.heartbeat)
            return
        }
        if observed.revision != found {
            phase = .dismissed
        } else if observed.since + timing.silence <= now {
            phase = .writing(replacing: found)
        } else {
            phase = .observing(again: now + timing.heartbeat)
        }
    }

    mutating func written(revision: UInt64, at now: Duration) {
        self.revision = revision
        hasHeld = true
        phase = .holding(next: now + timing.heartbeat)
    }

    /// The record has another revision: that of another process, or of an own write whose answer was lost.
    mutating func conflicted() {
        if case .writing(let replaced) = phase { refused = replaced }
        phase = .reading
    }

    /// No answer: nothing is known.
    mutating func failed(at now: Duration) {
        // While no instance can write, an unchanged record says nothing about its holder.
        observed = nil
        phase = .retrying(now + timing.retry)
    }
}

/// The times of a claim.
struct ClaimTiming: Sendable {
    /// The interval between two writes of the holder, and between two looks of a contender.
    var heartbeat: Duration = .milliseconds(500)
    /// How long a record may be unchanged before its holder counts as gone; several heartbeats.
    var silence: Duration = .seconds(3)
    /// The pause after a question without an answer.
    var retry: Duration = .milliseconds(250)

    init() {}
}
