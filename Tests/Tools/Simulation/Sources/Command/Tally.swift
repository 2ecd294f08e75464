import BrokerMachine
import CacheStoreMachine
import Majordomo
import MessageBus

/// The counts of what happened: the proof that schedules are not idle.
struct Tally: Sendable {
    var schedules = 0
    var events = 0
    var calls = 0
    var finals = 0
    var plainFinals = 0
    var refusals: [Refusal: Int] = [:]
    var deadlines = 0
    var brokerLost = 0
    var cancelled = 0
    var abandoned = 0
    var repeats = 0
    var dispatches = 0
    var redeliveries = 0
    var partials = 0
    var dropped: [DropReason: Int] = [:]
    var expelled = 0
    var silent = 0
    var shutOut = 0
    var reopens = 0
    var drains = 0
    var returned = 0
    var stops = 0
    var doubles = 0
    var pauses = 0
    var crashes = 0
    var poisonCrashes = 0
    /// Ends of connections that the broker has read, and processes that connected again after one.
    var ends = 0
    var returns = 0
    var suspected = 0
    var quarantined = 0
    var brokerRestarts = 0
    var breaks = 0
    var stalls = 0
    var leasesGranted = 0
    var parked = 0
    var busy = 0
    var shared = 0
    var failuresShared = 0
    var staleLeases = 0
    var upstreamCalls = 0
    var callsGranted = 0
    var callsRefused = 0
    var fills = 0
    var fillPauses = 0
    /// Calls without FINAL that were judged for starvation.
    var judged = 0

    private static let counts: [(name: String, path: any WritableKeyPath<Tally, Int> & Sendable)] = [
        ("schedules", \.schedules), ("events", \.events), ("calls", \.calls), ("finals", \.finals),
        ("plain finals", \.plainFinals), ("deadlines passed", \.deadlines), ("brokers lost", \.brokerLost),
        ("cancelled", \.cancelled), ("callers gone", \.abandoned), ("repeats", \.repeats),
        ("dispatches", \.dispatches), ("redelivered", \.redeliveries), ("partials", \.partials),
        ("expelled", \.expelled), ("silent", \.silent), ("shut out", \.shutOut), ("reopened", \.reopens),
        ("drains", \.drains), ("returned", \.returned), ("stopped", \.stops), ("doubled", \.doubles),
        ("pauses", \.pauses),
        ("crashes", \.crashes), ("poison crashes", \.poisonCrashes), ("ends read", \.ends), ("returned", \.returns),
        ("suspected", \.suspected), ("quarantined", \.quarantined), ("broker restarts", \.brokerRestarts),
        ("breaks", \.breaks), ("stalls", \.stalls),
        ("judged", \.judged), ("leases granted", \.leasesGranted), ("parked", \.parked), ("refused as busy", \.busy),
        ("values shared", \.shared), ("failures shared", \.failuresShared), ("stale leases", \.staleLeases),
        ("upstream calls", \.upstreamCalls), ("calls granted", \.callsGranted), ("calls refused", \.callsRefused),
        ("fills", \.fills), ("fills without quota", \.fillPauses),
    ]

    mutating func add(_ other: Tally) {
        for (_, path) in Self.counts { self[keyPath: path] += other[keyPath: path] }
        refusals.merge(other.refusals, uniquingKeysWith: +)
        dropped.merge(other.dropped, uniquingKeysWith: +)
    }

    mutating func count(_ action: LeaseStateMachine.Action) {
        switch action {
        case .grant: leasesGranted += 1
        case .park: parked += 1
        case .busy: busy += 1
        case .share: shared += 1
        case .fail: failuresShared += 1
        case .staleLease: staleLeases += 1
        }
    }

    /// One line.
    var summary: String { named.map { "\($0.count) \($0.name)" }.joined(separator: ", ") }

    /// The counts that a run of many schedules should have reached and has not.
    var unseen: [String] { named.filter { $0.count == 0 }.map(\.name) }

    private var named: [(name: String, count: Int)] {
        Self.counts.map { ($0.name, self[keyPath: $0.path]) }
            + Refusal.allCases.filter { $0 != .malformed }.map { ("refused as \($0.rawValue)", refusals[$0] ?? 0) }
            + DropReason.allCases.map { ("dropped as \($0.rawValue)", dropped[$0] ?? 0) }
    }
}
