internal import FlatJSON

extension Header {
    /// The same bytes as `JSONBytes.encode(self)`, in a tenth of its time; every message has a header.
    func json() throws -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        if let cache { json.field("cache", json: cache.json()) }
        if let failure { json.field("failure", json: try JSONBytes.encode(failure)) }
        json.field("kind", kind)
        if let parent { json.field("parent", parent) }
        json.field("query", query)
        json.field("schema", schema.description)
        json.field("sender", sender)
        if let status { json.field("status", status.rawValue) }
        if let timing { json.field("timing", json: timing.json()) }
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
            let isTaken =
                switch key {
                case "query": Self.set(&query, reader.text())
                case "kind": Self.set(&kind, reader.text())
                case "sender": Self.set(&sender, reader.text())
                case "traceparent": Self.set(&traceparent, reader.text())
                case "schema": Self.set(&schema, reader.text())
                case "parent": Self.set(&parent, reader.text())
                case "status": Self.set(&status, reader.text().map(ReplyStatus.init(rawValue:)))
                case "failure": Self.set(&failure, Self.nested(&reader))
                case "cache": Self.set(&cache, Self.plain(&reader))
                case "timing": Self.set(&timing, Self.plain(&reader))
                default: false
                }
            guard isTaken else { return nil }
        } while reader.take(",")
        guard reader.take("}"), reader.isAtEnd, let query, let kind, let sender, let traceparent,
            schema == SchemaVersion.current.description
        else { return nil }
        self.init(
            query: query, parent: parent, kind: kind, sender: sender, traceparent: traceparent, status: status,
            failure: failure, cache: cache, timing: timing)
    }

    /// False for what is no value, and for a field that came before: which of the two counts is the decoder's to say.
    private static func set<Value>(_ field: inout Value?, _ value: Value?) -> Bool {
        guard field == nil, let value else { return false }
        field = value
        return true
    }

    private static func plain<Value: PlainJSON>(_ reader: inout JSONReader) -> Value? {
        reader.object().flatMap { try? JSONBytes.decode(Value.self, from: $0) }
    }

    private static func nested<Value: Decodable>(_ reader: inout JSONReader) -> Value? {
        reader.object().flatMap { try? JSONBytes.decode(Value.self, from: $0) }
    }
}
