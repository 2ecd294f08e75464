import Majordomo
import MessageBus

/// The crashes that the broker must count, kept independently of it.
///
/// Every schedule is shorter than the time that a crash counts, and has fewer crashes than the bound.
struct CrashBook {
    /// Requests of one service with the same content apart from their tag.
    struct Likeness: Hashable {
        let service: Frame
        let payload: [Frame]
    }

    struct Process: Hashable {
        let instance: String
        let number: UInt64

        init?(_ options: WorkerOptions) {
            guard let number = options.process else { return nil }
            (instance, self.number) = (options.instance, number)
        }
    }

    enum Standing {
        case innocent, suspect, quarantined
    }

    private struct Crash {
        let number: Int
        let wasAlone: Bool
    }

    private var crashes: [Likeness: [Crash]] = [:]
    /// The requests in flight at silent workers, by connection.
    private var absences: [Int: (process: Process, held: [Likeness])] = [:]
    private var lost: [Process: Int] = [:]
    private var lastCrash = 0

    func standing(of likeness: Likeness) -> Standing {
        guard let crashes = crashes[likeness], crashes.count > 1 else { return .innocent }
        return crashes.dropFirst(2).contains(where: \.wasAlone) ? .quarantined : .suspect
    }

    /// - Returns: the standings that have changed.
    mutating func count(_ held: [Likeness], of process: Process?) -> [Standing] {
        guard let first = held.first else { return [] }
        lastCrash += 1
        if let process { lost[process] = lastCrash }
        let crash = Crash(number: lastCrash, wasAlone: held.allSatisfy { $0 == first })
        return Set(held).compactMap { likeness in
            let before = standing(of: likeness)
            crashes[likeness, default: []].append(crash)
            let after = standing(of: likeness)
            return after == before ? nil : after
        }
    }

    mutating func fellSilent(_ held: [Likeness], of process: Process, over connection: Connection) {
        if !held.isEmpty { absences[connection.number] = (process, held) }
    }

    mutating func ended(_ connection: Connection) -> [Standing] {
        guard let absence = absences.removeValue(forKey: connection.number) else { return [] }
        return count(absence.held, of: absence.process)
    }

    /// - Returns: true when a crash was withdrawn.
    mutating func returned(_ process: Process) -> Bool {
        absences = absences.filter { $0.value.process != process }
        guard let number = lost.removeValue(forKey: process) else { return false }
        for likeness in crashes.keys { crashes[likeness]?.removeAll { $0.number == number } }
        return true
    }

    mutating func answered(_ likeness: Likeness) { crashes[likeness] = nil }
}
