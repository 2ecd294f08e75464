import BrokerMachine
import Contracts
import FlatJSON
import Majordomo
import MessageBus
import ProcessKit

extension LedgerEvent {
    /// The event in the format of the event stream: one JSON object with sorted keys, as `Envelope.Event` reads it.
    ///
    /// Written by hand instead of an encoder for speed: each request causes three of these on the broker's only thread.
    func json(at microseconds: Int64, source: String) -> [UInt8] {
        var json = JSONWriter(capacity: 320)
        json.beginObject()
        json.field("at", microseconds)
        json.beginObject("attributes")
        let (kind, id) = writeAttributes(to: &json)
        json.endObject()
        json.field("kind", kind.rawValue)
        if let id {
            json.field("query", hexadecimal: id.query)
            json.field("request", hexadecimal: id.query, id.call)
        }
        json.field("source", source)
        json.endObject()
        return json.bytes
    }

    /// Writes the attributes in the order of their names.
    ///
    /// - Returns: the event's kind and the request it belongs to.
    private func writeAttributes(to json: inout JSONWriter) -> (kind: EventKind, id: RequestID?) {
        switch self {
        case .workerJoined(let service, let instance, let capacity):
            json.field("capacity", Int64(capacity))
            json.field("instance", instance)
            json.field("service", service)
            return (.workerJoined, nil)
        case .workerLeft(let service, let instance, let reason):
            json.field("instance", instance)
            json.field("reason", reason.rawValue)
            json.field("service", service)
            return (.workerLeft, nil)
        case .workerRefused(let service, let instance, let reason):
            json.field("instance", instance)
            json.field("reason", reason)
            json.field("service", service)
            return (.workerRefused, nil)
        case .queued(let id, let service):
            json.field("service", service)
            return (.queued, id)
        case .dispatched(let id, let service, let instance, let attempt, let queued):
            json.field("attempt", Int64(attempt))
            json.field("instance", instance)
            json.field("queuedMicroseconds", Int64(queued.wholeMicroseconds))
            json.field("service", service)
            return (.dispatched, id)
        case .redelivered(let id, let service, let instance):
            json.field("from", instance)
            json.field("service", service)
            return (.redelivered, id)
        case .answered(let id, let service, let instance, let took):
            json.field("instance", instance)
            json.field("service", service)
            json.field("tookMicroseconds", Int64(took.wholeMicroseconds))
            return (.answered, id)
        case .refused(let id, let service, let refusal):
            json.field("code", refusal.rawValue)
            json.field("service", service)
            return (.refused, id)
        case .cancelled(let id, let service):
            json.field("service", service)
            return (.cancelled, id)
        case .suspected(let id, let service, let kind):
            json.field("kind", kind)
            json.field("service", service)
            return (.requestSuspected, id)
        case .quarantined(let id, let service, let kind, let crashes):
            json.field("crashes", Int64(crashes))
            json.field("kind", kind)
            json.field("service", service)
            return (.requestQuarantined, id)
        case .dropped(let reason, let fault, let count):
            json.field("count", Int64(count))
            if let fault { json.field("fault", fault.rawValue) }
            json.field("reason", reason.rawValue)
            return (.dropped, nil)
        }
    }
}
