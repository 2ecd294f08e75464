import MessageBus

@testable import BrokerMachine
@testable import Envelope
@testable import Majordomo

/// The inputs and outputs of a run, counted independently of the broker.
struct BrokerRunTally {
    var received = 0
    /// Requests of a peer, and final answers to it.
    private(set) var asked: [PeerID: Int] = [:]
    var answered: [PeerID: Int] = [:]
    /// Malformed management requests: no requests to a service, but faults of the same kind.
    private(set) var malformedQuestions = 0
    private(set) var reportedDrops = 0
    private(set) var cancelled = 0
    private(set) var redeliveries = 0

    mutating func asked(_ service: Frame, _ body: [Frame], by peer: PeerID) {
        asked[peer, default: 0] += 1
        if service.starts(with: ManagementService.prefix), ControlFrame.read(body.first) == .malformed {
            malformedQuestions += 1
        }
    }

    mutating func note(_ event: LedgerEvent) {
        switch event {
        case .dropped(_, _, let count):
            claim(count > 0, "a drop of nothing is reported")
            reportedDrops += count
        case .cancelled: cancelled += 1
        case .redelivered: redeliveries += 1
        case .workerJoined, .workerLeft, .workerRefused, .queued, .dispatched, .answered, .refused, .suspected,
            .quarantined:
            break
        }
    }
}
