internal import FlatJSON

extension Header {
    /// The same bytes as `JSONBytes.encode(self)`, in a tenth of its time; every message has a header.
    func json() throws -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        if let cache { json.field("cache", json: try JSONBytes.encode(cache)) }
        if let failure { json.field("failure", json: try JSONBytes.encode(failure)) }
        json.field("kind", kind)
        if let parent { json.field("parent", parent) }
        json.field("query", query)
        json.field("schema", schema.description)
        json.field("sender", sender)
        if let status { json.field("status", status.rawValue) }
        if let timing { json.field("timing", json: try JSONBytes.encode(timing)) }
        json.field("traceparent", traceparent)
        json.endObject()
        return json.bytes
    }

    /// Reads a header of exactly the fields and version of this program; nil leaves it to the decoder.
    init?(plainJSON bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard reader.take("{") else { return nil }
        var query: String?, kind: String?, sender: String?, traceparent: String?, schema: String?
        var parent: String?, status: ReplyStatus?, failure: Failure?, cache: CacheFacts?, timing: TimingFacts?
        repeat {
            guard let key = reader.key() else { return nil }
            switch key {
            case "query": query = reader.text()
            case "kind": kind = reader.text()
            case "sender": sender = reader.text()
            case "traceparent": traceparent = reader.text()
            case "schema": schema = reader.text()
            case "parent":
                guard let text = reader.text() else { return nil }
                parent = text
            case "status":
                guard let text = reader.text() else { return nil }
                status = ReplyStatus(rawValue: text)
            case "failure":
                guard let value = Self.nested(Failure.self, &reader) else { return nil }
                failure = value
            case "cache":
                guard let value = Self.nested(CacheFacts.self, &reader) else { return nil }
                cache = value
            case "timing":
                guard let value = Self.nested(TimingFacts.self, &reader) else { return nil }
                timing = value
            default: return nil
            }
        } while reader.take(",")
        guard reader.take("}"), reader.isAtEnd, let query, let kind, let sender, let traceparent,
            schema == SchemaVersion.current.description
        else { return nil }
        self.init(
            query: query, parent: parent, kind: kind, sender: sender, traceparent: traceparent, status: status,
            failure: failure, cache: cache, timing: timing)
    }

    private static func nested<Value: Decodable>(_ type: Value.Type, _ reader: inout JSONReader) -> Value? {
        reader.object().flatMap { try? JSONBytes.decode(type, from: $0) }
    }
}
