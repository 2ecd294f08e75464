internal import FlatJSON

extension Header {
    /// The same bytes as the general encoder writes, in a tenth of the time; every message has a header.
    func json() throws -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        cache?.write("cache", to: &json)
        if let requestClass { json.field("class", requestClass.rawValue) }
        if let failure { json.field("failure", json: try JSONBytes.encode(failure)) }
        json.field("kind", kind)
        if let parent { json.field("parent", hexadecimal: parent.rawValue) }
        json.field("query", hexadecimal: query.rawValue)
        json.field("schema", schema.description)
        json.field("sender", sender)
        if let source { json.field("source", source.rawValue) }
        if let status { json.field("status", status.rawValue) }
        timing?.write("timing", to: &json)
        json.field("traceparent", length: TraceParent.length) { traceparent.write(to: $0) }
        json.endObject()
        return json.bytes
    }

    /// Reads a header of this program's version with its fields in the order above; nil requires a decoder.
    init?(plainJSON bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard reader.take("{") else { return nil }
        var cache: CacheStatus?, failure: Failure?, parent: HexadecimalID?, source: DataSource?, status: ReplyStatus?
        var timing: RequestTiming?, requestClass: RequestClass?
        if reader.take(all: #""cache":"#) {
            cache = reader.object().flatMap(CacheStatus.init(plainJSON:))
            guard cache != nil, reader.take(",") else { return nil }
        }
        if reader.take(all: #""class":"#) {
            requestClass = reader.text().map(RequestClass.init(rawValue:))
            guard requestClass != nil, reader.take(",") else { return nil }
        }
        if reader.take(all: #""failure":"#) {
            failure = reader.object().flatMap { try? JSONBytes.decode(Failure.self, from: $0) }
            guard failure != nil, reader.take(",") else { return nil }
        }
        guard reader.take(all: #""kind":"#), let kind = reader.text(), reader.take(",") else { return nil }
        if reader.take(all: #""parent":"#) {
            parent = reader.textBytes().flatMap(HexadecimalID.init)
            guard parent != nil, reader.take(",") else { return nil }
        }
        guard reader.take(all: #""query":"#), let query = reader.textBytes().flatMap(HexadecimalID.init),
            reader.take(all: #","schema":"#), reader.text() == SchemaVersion.current.description,
            reader.take(all: #","sender":"#), let sender = reader.text(), reader.take(",")
        else { return nil }
        if reader.take(all: #""source":"#) {
            source = reader.text().map(DataSource.init(rawValue:))
            guard source != nil, reader.take(",") else { return nil }
        }
        if reader.take(all: #""status":"#) {
            status = reader.text().map(ReplyStatus.init(rawValue:))
            guard status != nil, reader.take(",") else { return nil }
        }
        if reader.take(all: #""timing":"#) {
            timing = reader.object().flatMap(RequestTiming.init(plainJSON:))
            guard timing != nil, reader.take(",") else { return nil }
        }
        guard reader.take(all: #""traceparent":"#), let traceparent = reader.textBytes().flatMap(TraceParent.init),
            reader.take("}"), reader.isAtEnd
        else { return nil }
        self.init(
            query: query, parent: parent, kind: kind, sender: sender, traceparent: traceparent,
            requestClass: requestClass, source: source, status: status, failure: failure, cache: cache, timing: timing)
    }
}
