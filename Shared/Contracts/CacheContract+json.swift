public import Envelope
internal import FlatJSON

extension CachePeekRequest: PlainJSON {
    public func json() -> [UInt8] {
        var json = JSONWriter(capacity: 48 * (keys.count + 1))
        json.beginObject()
        following?.write(to: &json)
        json.beginArray("keys")
        for key in keys { json.element(key) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    public init?(plainJSON bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard reader.take("{"), var name = reader.key() else { return nil }
        var following: Following?
        if "following" ~= name {
            following = Following(&reader)
            guard following != nil, reader.take(","), let next = reader.key() else { return nil }
            name = next
        }
        guard "keys" ~= name, let keys = reader.list({ $0.text() }), reader.take("}"), reader.isAtEnd else {
            return nil
        }
        self.init(keys: keys, following: following)
    }
}

extension CachePeekRequest.Following {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject("following")
        json.field("attribute", attribute)
        json.field("limit", Int64(limit))
        json.beginArray("prefixes")
        for prefix in prefixes { json.element(prefix) }
        json.endArray()
        json.endObject()
    }

    /// Reads its three fields in the order in which they are written.
    fileprivate init?(_ reader: inout JSONReader) {
        guard reader.take("{"), let first = reader.key(), "attribute" ~= first, let attribute = reader.text(),
            reader.take(","), let second = reader.key(), "limit" ~= second,
            let limit = reader.number().flatMap(Int.init(exactly:)),
            reader.take(","), let third = reader.key(), "prefixes" ~= third, let prefixes = reader.list({ $0.text() }),
            reader.take("}")
        else { return nil }
        self.init(attribute: attribute, limit: limit, prefixes: prefixes)
    }
}

extension CachePeekReply: PlainJSON {
    public func json() -> [UInt8] {
        var json = JSONWriter(capacity: 128 * (entries.count + 1))
        json.beginObject()
        json.beginArray("entries")
        for entry in entries { entry.write(to: &json) }
        json.endArray()
        if let lengths {
            json.beginArray("lengths")
            for length in lengths { json.element(Int64(length)) }
            json.endArray()
        }
        json.endObject()
        return json.bytes
    }

    public init?(plainJSON bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard reader.take("{"), let name = reader.key(), "entries" ~= name,
            let entries = reader.list({ CachedEntry(&$0) })
        else { return nil }
        var lengths: [Int]?
        if reader.take(",") {
            guard let name = reader.key(), "lengths" ~= name else { return nil }
            lengths = reader.list { $0.number().flatMap(Int.init(exactly:)) }
            guard lengths != nil else { return nil }
        }
        guard reader.take("}"), reader.isAtEnd else { return nil }
        self.init(entries: entries, lengths: lengths)
    }
}

extension CachedEntry {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("age", Int64(age))
        json.beginObject("attributes")
        for (name, text) in attributes.sorted(by: { $0.key < $1.key }) { json.field(text: name, .text(text)) }
        json.endObject()
        json.field("key", key)
        json.field("state", state.rawValue)
        json.field("ttl", Int64(ttl))
        json.endObject()
    }

    /// Reads its five fields in whatever order.
    fileprivate init?(_ reader: inout JSONReader) {
        guard reader.take("{") else { return nil }
        var age: Int?, ttl: Int?, key: String?, state: String?, attributes: [String: String]?
        repeat {
            guard let name = reader.key() else { return nil }
            // What cannot be read is not forgiven for another of the same name.
            let isTaken =
                switch name {
                case "age": Self.set(&age, reader.number().flatMap(Int.init(exactly:)))
                case "ttl": Self.set(&ttl, reader.number().flatMap(Int.init(exactly:)))
                case "key": Self.set(&key, reader.text())
                case "state": Self.set(&state, reader.text())
                case "attributes": Self.set(&attributes, Self.attributes(&reader))
                default: false
                }
            guard isTaken else { return nil }
        } while reader.take(",")
        guard reader.take("}"), let age, let ttl, let key, let state, let attributes else { return nil }
        self.init(key: key, state: State(rawValue: state), age: age, ttl: ttl, attributes: attributes)
    }

    private static func set<Value>(_ field: inout Value?, _ value: Value?) -> Bool {
        guard field == nil, let value else { return false }
        field = value
        return true
    }

    private static func attributes(_ reader: inout JSONReader) -> [String: String]? {
        guard reader.take("{") else { return nil }
        var found: [String: String] = [:]
        if reader.take("}") { return found }
        repeat {
            guard let name = reader.key().flatMap({ String(validating: $0, as: UTF8.self) }), found[name] == nil,
                let text = reader.text()
            else { return nil }
            found[name] = text
        } while reader.take(",")
        return reader.take("}") ? found : nil
    }
}
