/// Workers that are gone, for as long as it may turn out whether their processes have crashed.
///
/// A silent worker has crashed when its connection ends after that. One whose process comes back has not crashed.
struct LostWorkers: Sendable {
    /// The same process has the same number under the same name.
    struct Process: Sendable, Hashable {
        let instance: String
        let number: UInt64

        /// Nil for a worker that does not say which process it is.
        init?(_ options: WorkerOptions) {
            guard let number = options.process else { return nil }
            self.instance = options.instance
            self.number = number
        }
    }

    /// A worker that was removed while its connection was still there.
    struct Absence: Sendable {
        let process: Process
        let service: Frame
        /// What it had in flight.
        let charges: [CrashTable.Charge]
        let since: Duration
        /// Orders those of one time.
        let number: UInt64
    }

    private let period: Duration
    private let limit: Int
    private var absences: [PeerID: Absence] = [:]
    private var crashes: [Process: (number: UInt64, at: Duration)] = [:]
    private var lastNumber: UInt64 = 0

    init(period: Duration, limit: Int) {
        self.period = period
        self.limit = limit
    }

    mutating func absent(
        _ peer: PeerID, _ process: Process, service: Frame, charges: [CrashTable.Charge], at now: Duration
    ) {
        absences = absences.filter { $0.value.since + period > now }
        if absences.count >= limit, let oldest = absences.min(by: { $0.value.number < $1.value.number }) {
            absences[oldest.key] = nil
        }
        lastNumber += 1
        absences[peer] = Absence(
            process: process, service: service, charges: charges, since: now, number: lastNumber)
    }

    /// The connection of a worker that is absent has ended.
    mutating func takeAbsence(of peer: PeerID, at now: Duration) -> Absence? {
        absences.removeValue(forKey: peer).flatMap { $0.since + period > now ? $0 : nil }
    }

    mutating func crashed(_ process: Process, crash: UInt64, at now: Duration) {
        crashes = crashes.filter { $0.value.at + period > now }
        if crashes.count >= limit, let oldest = crashes.min(by: { $0.value.number < $1.value.number }) {
            crashes[oldest.key] = nil
        }
        crashes[process] = (crash, now)
    }

    /// The process is there again: it was only out of reach.
    ///
    /// - Returns: the number of the crash that was none.
    mutating func returned(_ process: Process) -> UInt64? {
        if !absences.isEmpty { absences = absences.filter { $0.value.process != process } }
        return crashes.removeValue(forKey: process)?.number
    }
}
