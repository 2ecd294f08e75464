import Envelope
import Majordomo
import ServiceKit

extension LedgerEvent {
    /// The event as it is published; times in whole microseconds.
    func event(at microseconds: Int64, source: String) -> Event {
        let (kind, id, facts) = parts
        return Event(
            at: microseconds, kind: "broker.\(kind)", source: source, query: id?.queryText,
            request: id?.description, facts: facts)
    }

    private var parts: (kind: String, id: RequestID?, facts: [String: Fact]) {
        switch self {
        case .workerJoined(let service, let instance, let capacity):
            (
                "worker_joined", nil,
                ["service": .text(service), "instance": .text(instance), "capacity": .number(capacity)]
            )
        case .workerLeft(let service, let instance, let reason):
            (
                "worker_left", nil,
                ["service": .text(service), "instance": .text(instance), "reason": .text(reason.rawValue)]
            )
        case .workerRefused(let service, let instance, let reason):
            (
                "worker_refused", nil,
                ["service": .text(service), "instance": .text(instance), "reason": .text(reason)]
            )
        case .queued(let id, let service):
            ("queued", id, ["service": .text(service)])
        case .handedOut(let id, let service, let instance, let attempt, let queued):
            (
                "handed_out", id,
                [
                    "service": .text(service), "instance": .text(instance), "attempt": .number(attempt),
                    "queuedMicroseconds": .number(queued.wholeMicroseconds),
                ]
            )
        case .handedOver(let id, let service, let instance):
            ("handed_over", id, ["service": .text(service), "from": .text(instance)])
        case .answered(let id, let service, let instance, let took):
            (
                "answered", id,
                [
                    "service": .text(service), "instance": .text(instance),
                    "tookMicroseconds": .number(took.wholeMicroseconds),
                ]
            )
        case .refused(let id, let service, let refusal):
            ("refused", id, ["service": .text(service), "code": .text(refusal.rawValue)])
        case .cancelled(let id, let service):
            ("cancelled", id, ["service": .text(service)])
        case .dropped(let reason):
            ("dropped", nil, ["reason": .text(reason.rawValue)])
        }
    }
}
