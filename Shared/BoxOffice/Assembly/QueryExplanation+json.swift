internal import Envelope
internal import FlatJSON
internal import ProcessKit

extension QueryExplanation {
    /// { wallMicroseconds, ownMicroseconds, steps: [ … ] }; unknown values are null.
    public func json() -> [UInt8] {
        var json = JSONWriter(capacity: 512 * (steps.count + 1))
        json.beginObject()
        json.field("wallMicroseconds", Int64(wall.wholeMicroseconds))
        // Computed from the rounded durations, so that the sum is exact.
        let waited = critical.reduce(0) { $0 + steps[$1].took.wholeMicroseconds }
        json.field("ownMicroseconds", Int64(wall.wholeMicroseconds - waited))
        json.beginArray("steps")
        for (place, step) in steps.enumerated() { step.write(to: &json, isCritical: critical.contains(place)) }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}

extension QueryStep {
    fileprivate func write(to json: inout JSONWriter, isCritical: Bool) {
        func number(_ duration: Duration?) -> JSONWriter.Scalar {
            duration.map { .number(Int64($0.wholeMicroseconds)) } ?? .null
        }
        func text(_ text: String?) -> JSONWriter.Scalar { text.map { .text($0) } ?? .null }
        json.beginObject()
        json.field("startMicroseconds", Int64(start.wholeMicroseconds))
        json.field("tookMicroseconds", Int64(took.wholeMicroseconds))
        json.field("isCritical", flag: isCritical)
        json.field("what", what)
        json.field("kind", kind)
        json.field(text: "instance", text(instance))
        json.field(text: "status", text(status))
        json.field(text: "code", text(code?.rawValue))
        json.field(text: "cache", text(cache))
        json.field("attempts", Int64(attempts))
        json.field(text: "queuedMicroseconds", number(queued))
        json.field(text: "workMicroseconds", number(work))
        json.field(text: "upstreamMicroseconds", number(upstream))
        json.field(text: "upstreamCalls", upstreamCalls.map { .number(Int64($0)) } ?? .null)
        json.field(text: "upstreamOutcomes", upstreamOutcomes.map { .list($0) } ?? .null)
        json.field("deadlineLeftMilliseconds", Int64(deadlineLeft.wholeMicroseconds / 1000))
        json.endObject()
    }
}
