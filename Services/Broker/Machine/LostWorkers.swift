internal import Majordomo
internal import MessageBus

/// Removed workers: those whose connection is still open, and, for the period in which a crash of their process can be
/// confirmed or excluded, the requests that they had.
///
/// A silent worker has crashed when its connection ends after that. A worker whose process registers again has not
/// crashed.
struct LostWorkers: Sendable {
    /// A process is identified by its instance name and its number.
    struct Process: Sendable, Hashable {
        let instance: String
        let number: UInt64

        /// Nil for a worker that does not state its process number.
        init?(_ options: WorkerOptions) {
            guard let number = options.process else { return nil }
            self.instance = options.instance
            self.number = number
        }
    }

    /// A worker that was removed while its connection was still open.
    struct Absence: Sendable {
        let process: Process
        let service: Frame
        /// Its requests in flight.
        let charges: [CrashTable.Charge]
        let since: Duration
        /// The order of absences with the same time.
        let number: UInt64
    }

    /// A worker that was removed for its silence, and whose connection is still open.
    struct Silence: Sendable {
        let service: Frame
        let instance: String
        let lastHeard: Duration
    }

    private let period: Duration
    private let limit: Int
    private(set) var silences: [PeerID: Silence] = [:]
    private var absences: [PeerID: Absence] = [:]
    private var crashes: [Process: (number: UInt64, at: Duration)] = [:]
    private var lastNumber: UInt64 = 0

    init(period: Duration, limit: Int) {
        self.period = period
        self.limit = limit
    }

    mutating func recordSilence(of peer: PeerID, _ silence: Silence) {
        if silences.count >= limit, let oldest = silences.min(by: { $0.value.lastHeard < $1.value.lastHeard }) {
            silences[oldest.key] = nil
        }
        silences[peer] = silence
    }

    /// The connection of the peer has ended: the process is no longer silent, but gone.
    mutating func forgetSilence(of peer: PeerID) {
        silences[peer] = nil
    }

    /// An instance of that name has registered.
    mutating func forgetSilence(ofInstance instance: String) {
        if !silences.isEmpty { silences = silences.filter { $0.value.instance != instance } }
    }

    mutating func recordAbsence(
        of peer: PeerID, _ process: Process, service: Frame, charges: [CrashTable.Charge], at now: Duration
    ) {
        absences = absences.filter { $0.value.since + period > now }
        if absences.count >= limit, let oldest = absences.min(by: { $0.value.number < $1.value.number }) {
            absences[oldest.key] = nil
        }
        lastNumber += 1
        absences[peer] = Absence(
            process: process, service: service, charges: charges, since: now, number: lastNumber)
    }

    /// The connection of an absent worker has ended.
    mutating func takeAbsence(of peer: PeerID, at now: Duration) -> Absence? {
        absences.removeValue(forKey: peer).flatMap { $0.since + period > now ? $0 : nil }
    }

    mutating func recordCrash(of process: Process, number: UInt64, at now: Duration) {
        crashes = crashes.filter { $0.value.at + period > now }
        if crashes.count >= limit, let oldest = crashes.min(by: { $0.value.number < $1.value.number }) {
            crashes[oldest.key] = nil
        }
        crashes[process] = (number, now)
    }

    /// The process has registered again: it was only unreachable.
    ///
    /// - Returns: the number of the crash to retract.
    mutating func takeCrash(of process: Process) -> UInt64? {
        if !absences.isEmpty { absences = absences.filter { $0.value.process != process } }
        return crashes.removeValue(forKey: process)?.number
    }
}
