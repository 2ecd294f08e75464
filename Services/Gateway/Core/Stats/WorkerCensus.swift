import Envelope
import MessageBus

/// Which workers of one service have told their stats.
///
/// A question cannot be addressed to a worker: the broker hands each to the one that was used least recently. So it is
/// asked as often as there are workers, all at once, and again while one is missing.
struct WorkerCensus: Sendable {
    /// In a busy service others' requests come in between, and a round of n questions finds a given worker among n with
    /// a chance of two in three only: twelve rounds miss one in 300,000.
    static let maxRounds = 12

    let service: String
    private let present: Int
    private let wanted: String?
    private var heard: [String: Result<ServiceStats, Failure>] = [:]
    private(set) var missing: Set<String>
    /// Why a question found nobody.
    private(set) var lastFailure: Failure?
    private var rounds = 0
    private var hasNews = false
    private var hasFailed = false

    /// - Parameters:
    ///   - instances: all workers of the service.
    ///   - wanted: one of them; nil for all.
    init(service: String, instances: [String], wanted: String? = nil) {
        self.service = service
        self.wanted = wanted
        present = instances.count
        missing = Set(wanted.map { [$0] } ?? instances)
    }

    /// Begins a round and says how often to ask in it; 0 ends the call.
    mutating func nextRound() -> Int {
        let isOver =
            rounds == Self.maxRounds || (rounds > 0 && missing.isEmpty)
            // Whoever is missing does not answer: each further round would only wait for it again.
            || (hasFailed && !hasNews)
        guard !isOver else { return 0 }
        rounds += 1
        (hasNews, hasFailed) = (false, false)
        // Without any worker, one question tells why.
        return max(1, present)
    }

    /// - Parameter answer: its stats, or a failure of its own, as a worker of another release may answer.
    mutating func answered(_ instance: String, _ answer: Result<ServiceStats, Failure>) {
        if missing.remove(instance) != nil { hasNews = true }
        heard[instance] = answer
    }

    /// A question found no worker that answered it.
    mutating func failed(_ failure: Failure) {
        lastFailure = failure
        hasFailed = true
    }

    /// What was heard of whom it was asked for, by instance.
    var answers: [(instance: String, answer: Result<ServiceStats, Failure>)] {
        heard.filter { wanted == nil || $0.key == wanted }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
