import BrokerMachine
import Contracts
import Envelope
import Majordomo
import MessageBus
import ServiceKit

/// Requests about the broker itself (`mmi.…`).
extension Broker {
    private static let eventsAPage = 24
    private static let mostEventsAPage = 1000

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
            let sequence = inspection.arguments.first.flatMap { UInt64($0.text) } ?? .max
            // A subscriber asks for the head; who asks for pages only is none.
            if sequence == .max { eventPublisher.renewSubscriberLease(at: now) }
            let limit = inspection.arguments.dropFirst().first.flatMap { Int($0.text) } ?? Self.eventsAPage
            let page = eventPublisher.ring.page(
                from: sequence, limit: min(max(1, limit), Self.mostEventsAPage), maxBytes: 1 << 20)
            return [eventPublisher.ring.head.encoded] + page.flatMap { [$0.encoded, $1] }
        }
    }
}
