internal import Domain
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
        var following: Following?
        if reader.take(all: #"{"following":"#) {
            following = Following(&reader)
            guard following != nil, reader.take(",") else { return nil }
        } else if !reader.take("{") {
            return nil
        }
        guard reader.take(all: #""keys":"#), let keys = reader.list({ $0.text() }), reader.take("}"), reader.isAtEnd
        else { return nil }
        self.init(keys: keys, following: following)
    }
}

extension CachePeekRequest.Following {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject("following")
        json.field("attribute", attribute)
        json.field("limit", Int64(limit.value))
        json.beginArray("prefixes")
        for prefix in prefixes { json.element(prefix) }
        json.endArray()
        json.endObject()
    }

    /// Reads the three fields in the order in which they are written.
    fileprivate init?(_ reader: inout JSONReader) {
        guard reader.take(all: #"{"attribute":"#), let attribute = reader.text(),
            reader.take(all: #","limit":"#),
            let limit = reader.number().flatMap(Int.init(exactly:)).flatMap(ItemLimit.init),
            reader.take(all: #","prefixes":"#), let prefixes = reader.list({ $0.text() }), reader.take("}")
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
        // A chart, and the parts of ten films.
        let usual = 1 + 10 * FilmPart.allCases.count
        guard reader.take(all: #"{"entries":"#), let entries = reader.list(roomFor: usual, { CachedEntry(&$0) })
        else { return nil }
        var lengths: [Int]?
        if reader.take(all: #","lengths":"#) {
            lengths = reader.list(roomFor: usual) { $0.number().flatMap(Int.init(exactly:)) }
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
        // Most entries have none or one.
        let sorted = attributes.count > 1 ? attributes.sorted { $0.key < $1.key } : Array(attributes)
        for (name, text) in sorted { json.field(text: name, .text(text)) }
        json.endObject()
        json.field("key", key)
        json.field("state", state.rawValue)
        json.field("ttl", Int64(ttl))
        json.endObject()
    }

    /// Reads the five fields in the order in which they are written; an answer has twenty entries.
    fileprivate init?(_ reader: inout JSONReader) {
        guard reader.take(all: #"{"age":"#), let age = reader.number().flatMap(Int.init(exactly:)),
            reader.take(all: #","attributes":"#), let attributes = Self.attributes(&reader),
            reader.take(all: #","key":"#), let key = reader.text(),
            reader.take(all: #","state":"#), let state = reader.text(),
            reader.take(all: #","ttl":"#), let ttl = reader.number().flatMap(Int.init(exactly:)),
            reader.take("}")
        else { return nil }
        self.init(key: key, state: State(rawValue: state), age: age, ttl: ttl, attributes: attributes)
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
