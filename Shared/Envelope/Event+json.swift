internal import FlatJSON

extension Event {
    /// The same bytes as the general encoder writes, in a tenth of the time; every message causes events.
    public func json() -> [UInt8] {
        var json = JSONWriter(capacity: 320)
        json.beginObject()
        json.field("at", at)
        json.beginObject("attributes")
        for (name, fact) in attributes.sorted(by: { $0.key < $1.key }) {
            switch fact {
            case .text(let text): json.field(text: name, .text(text))
            case .number(let number): json.field(text: name, .number(Int64(number)))
            case .flag(let flag): json.field(text: name, .flag(flag))
            case .unknown: json.field(text: name, .null)
            }
        }
        json.endObject()
        json.field("kind", kind)
        if let query { json.field("query", query) }
        if let request { json.field("request", request) }
        json.field("source", source)
        json.endObject()
        return json.bytes
    }
}
