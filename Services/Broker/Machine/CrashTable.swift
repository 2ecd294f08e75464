internal import Majordomo
internal import MessageBus

/// Which requests were in flight at workers that crashed, and how often.
///
/// A request that was in flight at two crashes is a suspect. One more crash with nothing else in flight proves that it
/// is the cause: it is quarantined. A record expires some time after its last crash.
struct CrashTable: Sendable {
    /// Requests of one service with the same kind and payload have the same fingerprint.
    struct Fingerprint: Sendable, Hashable {
        let service: Frame
        let hash: Int

        init(service: Frame, hash: Int) { (self.service, self.hash) = (service, hash) }

        init(service: Frame, _ description: RequestDescription) {
            self.service = service
            // The seed differs in each process, so that a client cannot construct a request with the hash of another.
            var hasher = Hasher()
            hasher.combine(description.kind)
            hasher.combine(description.payload.count)
            for frame in description.payload {
                hasher.combine(frame.count)
                frame.withUnsafeBytes { hasher.combine(bytes: $0) }
            }
            hash = hasher.finalize()
        }
    }

    /// A request that a crash counts against.
    struct Charge: Sendable {
        let fingerprint: Fingerprint
        let kind: String
        let id: RequestID?
    }

    enum Standing: Sendable {
        case innocent, suspect, quarantined
    }

    private struct Crash: Sendable {
        let number: UInt64
        let wasAlone: Bool
    }

    private struct Record: Sendable {
        /// The order of the records; hashes differ in each process and give no stable order.
        let number: UInt64
        var crashes: [Crash] = []
        var lastCrash: Duration

        var standing: Standing {
            if crashes.count < CrashTable.suspectCrashes { return .innocent }
            return crashes.dropFirst(CrashTable.suspectCrashes).contains(where: \.wasAlone) ? .quarantined : .suspect
        }
    }

    /// After so many crashes a request is a suspect, which is tried alone; a further crash then quarantines it.
    private static let suspectCrashes = 2

    private let period: Duration
    private let limit: Int
    private var records: [Fingerprint: Record] = [:]
    /// How many records each service has.
    private var counts: [Frame: Int] = [:]
    /// No record expires before this time.
    private var expiry: Duration?
    private var lastNumber: UInt64 = 0

    /// - Parameters:
    ///   - period: how long after its last crash a record is kept.
    ///   - limit: how many records are kept at most.
    init(period: Duration, limit: Int) {
        self.period = period
        self.limit = limit
    }

    /// False when no request of that service has a record.
    mutating func concerns(_ service: Frame, at now: Duration) -> Bool {
        if let expiry, expiry <= now { forgetExpired(at: now) }
        return counts[service] != nil
    }

    func standing(of fingerprint: Fingerprint) -> Standing { records[fingerprint]?.standing ?? .innocent }

    func crashCount(of fingerprint: Fingerprint) -> Int { records[fingerprint]?.crashes.count ?? 0 }

    /// Counts a crash against a request.
    ///
    /// - Returns: true when its standing has changed.
    mutating func count(_ fingerprint: Fingerprint, crash: UInt64, wasAlone: Bool, at now: Duration) -> Bool {
        let before = standing(of: fingerprint)
        if records[fingerprint] == nil { insertRecord(of: fingerprint, at: now) }
        // Two equal requests in flight at one worker count one crash.
        guard records[fingerprint]?.crashes.contains(where: { $0.number == crash }) == false else { return false }
        records[fingerprint]?.crashes.append(Crash(number: crash, wasAlone: wasAlone))
        records[fingerprint]?.lastCrash = now
        expiry = min(expiry ?? now + period, now + period)
        return standing(of: fingerprint) != before
    }

    /// Removes a crash that turned out to be none.
    mutating func retract(crash: UInt64) {
        for fingerprint in records.keys {
            records[fingerprint]?.crashes.removeAll { $0.number == crash }
            if records[fingerprint]?.crashes.isEmpty == true { clear(fingerprint) }
        }
    }

    /// - Returns: false when there was no record.
    @discardableResult
    mutating func clear(_ fingerprint: Fingerprint) -> Bool {
        guard records.removeValue(forKey: fingerprint) != nil else { return false }
        let rest = counts[fingerprint.service, default: 0] - 1
        counts[fingerprint.service] = rest > 0 ? rest : nil
        return true
    }

    private mutating func insertRecord(of fingerprint: Fingerprint, at now: Duration) {
        forgetExpired(at: now)
        // The oldest record with the fewest crashes is removed: records with more crashes are more valuable.
        if records.count >= limit, let least = records.min(by: { Self.isWorthLess($0.value, than: $1.value) }) {
            clear(least.key)
        }
        lastNumber += 1
        records[fingerprint] = Record(number: lastNumber, lastCrash: now)
        counts[fingerprint.service, default: 0] += 1
    }

    private static func isWorthLess(_ left: Record, than right: Record) -> Bool {
        (left.crashes.count, left.lastCrash, left.number) < (right.crashes.count, right.lastCrash, right.number)
    }

    private mutating func forgetExpired(at now: Duration) {
        for (fingerprint, record) in records where record.lastCrash + period <= now { clear(fingerprint) }
        expiry = records.values.map(\.lastCrash).min().map { $0 + period }
    }
}
