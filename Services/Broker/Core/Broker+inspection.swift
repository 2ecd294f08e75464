import BrokerMachine
import Contracts
import Envelope
import Majordomo
import MessageBus
import ServiceKit

/// Requests about the broker itself (`mmi.…`).
extension Broker {
    func answer(_ inspection: BrokerStateMachine.Inspection, at now: Duration) {
        // Encoding integers and names cannot fail; if it did, "500" is better than a list that seems empty.
        let frames = try? answers(to: inspection, at: now)
        perform(machine.answer(inspection, status: frames == nil ? "500" : "200", frames ?? []), at: now)
    }

    private func answers(to inspection: BrokerStateMachine.Inspection, at now: Duration) throws -> [Frame] {
        switch inspection.subject {
        case .ping: return []
        case .info: return [try JSONBytes.encode(identity.info())]
        case .stats:
            let report = machine.report(at: now)
            return [
                try JSONBytes.encode(tally.stats(of: identity.info(), report)),
                try JSONBytes.encode(tally.traffic(report)),
                try JSONBytes.encode(MessageCounts(report.counters)),
            ]
        case .services: return machine.report(at: now).services.map { Frame(text: $0.name) }
        case .workers:
            let status = BrokerStatus(
                machine.report(at: now), connections, up: now, events: Int(eventPublisher.ring.lastSequence))
            return [try JSONBytes.encode(status)]
        case .events:
            eventPublisher.renewSubscriberLease(at: now)
            let sequence = inspection.arguments.first.flatMap { UInt64($0.text) } ?? .max
            let page = eventPublisher.ring.page(from: sequence, limit: 24, maxBytes: 1 << 20)
            return [eventPublisher.ring.head.encoded] + page.flatMap { [$0.encoded, $1] }
        }
    }
}
