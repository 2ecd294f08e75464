import MessageBus

@testable import BrokerMachine
@testable import Envelope
@testable import Majordomo

/// A broker that receives the input's messages from a few peers; after each step its invariants must hold.
struct BrokerRun {
    /// Small, so that a short input reaches every bound.
    static let timing: MajordomoTiming = {
        var timing = MajordomoTiming()
        timing.queueEntries = 6
        timing.queueBytes = 400
        timing.clientEntries = 3
        timing.ledgerEntries = 12
        timing.ledgerBytes = 900
        timing.clientLedgerEntries = 5
        timing.clientLedgerBytes = 600
        return timing
    }()
    private static let maxSteps = 500
    /// Repeated ticks that are due at once would be a busy loop.
    private static let maxTicksToRest = 10_000

    private(set) var machine = BrokerStateMachine(timing: timing, epoch: 7)
    private(set) var now: Duration = .zero
    /// The latest tickets of a peer.
    private(set) var tickets: [PeerID: [Frame]] = [:]
    var tally = BrokerRunTally()

    static func run(_ input: inout FuzzInput) {
        var run = BrokerRun()
        for _ in 0..<maxSteps where !input.isAtEnd {
            run.step(&input)
            run.claimBalance()
        }
        run.rest()
    }

    mutating func receive(_ frames: [Frame], from peer: PeerID) {
        tally.received += 1
        if case .client(_, .request(let service, let body)) = try? PeerMessage(frames) {
            tally.asked(service, body.frames, by: peer)
        }
        var actions: [BrokerStateMachine.Action] = []
        machine.received(frames, from: peer, at: now, &actions)
        carryOut(actions)
    }

    mutating func fail(toReach peer: PeerID) {
        var actions: [BrokerStateMachine.Action] = []
        machine.undeliverable(to: peer, queuedAt: now, at: now, &actions)
        carryOut(actions)
    }

    mutating func wait(_ duration: Duration, isNoticed: Bool) {
        now += duration
        if isNoticed { tick() }
    }

    private mutating func tick() {
        var actions: [BrokerStateMachine.Action] = []
        machine.ticked(at: now, &actions)
        carryOut(actions)
        if let due = machine.nextDeadline { claim(due > now, "due again at \(due), \(now) is over") }
    }

    /// Without further input every request ends, and no record remains.
    private mutating func rest() {
        var ticks = 0
        while let due = machine.nextDeadline {
            ticks += 1
            claim(ticks <= Self.maxTicksToRest, "it never comes to rest")
            now = max(now, due)
            tick()
            claimBalance()
        }
        claim(machine.entries.isEmpty && machine.entryByRequest.isEmpty, "requests are left: \(machine.entries)")
        claim(machine.workers.isEmpty && machine.services.isEmpty, "workers or services are left: \(machine.services)")
        claim(machine.ledgerBytes == 0 && machine.shares.isEmpty, "\(machine.ledgerBytes) bytes are left")
    }

    private mutating func carryOut(_ actions: [BrokerStateMachine.Action]) {
        for action in actions {
            switch action {
            case .send(let peer, let message): check(message.encoded, to: peer)
            case .note(let event): tally.note(event)
            case .end(let peer): claim(machine.workers[peer] == nil, "a worker without a connection: \(peer)")
            case .inspect(let inspection):
                claimReport()
                carryOut([machine.answer(inspection, [Frame(text: "fact")])])
            }
        }
    }

    private mutating func check(_ frames: [Frame], to peer: PeerID) {
        switch (ClientMessage.fromBroker(frames), WorkerMessage.fromBroker(frames)) {
        case (.final, nil):
            tally.answered[peer, default: 0] += 1
            claim(tally.answered[peer, default: 0] <= tally.asked[peer, default: 0], "an answer without a question")
        case (.partial, nil):
            claim(tally.asked[peer] != nil, "a part of an answer without a question")
        case (nil, .request(let ticket, _)):
            claim(Ticket(ticket)?.epoch == 7, "no ticket of this broker: \(ticket)")
            tickets[peer, default: []].append(ticket)
            if tickets[peer, default: []].count > 8 { tickets[peer]?.removeFirst() }
        case (nil, .heartbeat), (nil, .disconnect): break
        default: fatalError("the broker said to \(peer) what nobody reads: \(frames)")
        }
    }
}
