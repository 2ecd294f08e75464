internal import FlatJSON

extension CacheStatus: PlainJSON {
    public func json() -> [UInt8] {
        var json = JSONWriter(capacity: 96)
        write(nil, to: &json)
        return json.bytes
    }

    func write(_ key: StaticString?, to json: inout JSONWriter) {
        json.beginObject(key)
        if let age { json.field("age", Int64(age)) }
        if let collapsed { json.field("collapsed", flag: collapsed) }
        if let detail { json.field("detail", detail) }
        if let fwd { json.field("fwd", fwd.rawValue) }
        json.field("hit", flag: hit)
        if let stored { json.field("stored", flag: stored) }
        if let ttl { json.field("ttl", Int64(ttl)) }
        json.endObject()
    }

    public init?(plainJSON bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard reader.take("{") else { return nil }
        var status = CacheStatus(hit: false)
        var hasHit = false
        repeat {
            guard let key = reader.key() else { return nil }
            switch key {
            case "age": guard status.age == nil, reader.set(&status.age) else { return nil }
            case "ttl": guard status.ttl == nil, reader.set(&status.ttl) else { return nil }
            case "collapsed": guard status.collapsed == nil, reader.set(&status.collapsed) else { return nil }
            case "stored": guard status.stored == nil, reader.set(&status.stored) else { return nil }
            case "hit":
                guard !hasHit, let hit = reader.flag() else { return nil }
                status.hit = hit
                hasHit = true
            case "fwd":
                guard status.fwd == nil, let word = reader.text() else { return nil }
                status.fwd = Forward(rawValue: word)
            case "detail":
                guard status.detail == nil, let text = reader.text() else { return nil }
                status.detail = text
            default: return nil
            }
        } while reader.take(",")
        guard reader.take("}"), reader.isAtEnd, hasHit else { return nil }
        self = status
    }
}

extension RequestTiming: PlainJSON {
    public func json() -> [UInt8] {
        var json = JSONWriter(capacity: 80)
        write(nil, to: &json)
        return json.bytes
    }

    func write(_ key: StaticString?, to json: inout JSONWriter) {
        json.beginObject(key)
        if let upstreamCalls { json.field("upstreamCalls", Int64(upstreamCalls)) }
        if let upstreamMicroseconds { json.field("upstreamMicroseconds", Int64(upstreamMicroseconds)) }
        if let upstreamOutcomes {
            json.beginArray("upstreamOutcomes")
            for outcome in upstreamOutcomes { json.element(outcome) }
            json.endArray()
        }
        json.field("workMicroseconds", Int64(workMicroseconds))
        json.endObject()
    }

    public init?(plainJSON bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard reader.take("{") else { return nil }
        var work: Int?, upstream: Int?, calls: Int?, outcomes: [String]?
        repeat {
            guard let key = reader.key() else { return nil }
            switch key {
            case "workMicroseconds": guard work == nil, reader.set(&work) else { return nil }
            case "upstreamMicroseconds": guard upstream == nil, reader.set(&upstream) else { return nil }
            case "upstreamCalls": guard calls == nil, reader.set(&calls) else { return nil }
            case "upstreamOutcomes":
                guard outcomes == nil, let list = reader.list({ $0.text() }) else { return nil }
                outcomes = list
            default: return nil
            }
        } while reader.take(",")
        guard reader.take("}"), reader.isAtEnd, let work else { return nil }
        self.init(
            workMicroseconds: work, upstreamMicroseconds: upstream, upstreamCalls: calls, upstreamOutcomes: outcomes)
    }
}

extension JSONReader {
    /// - Returns: False when the next value is not a whole number.
    fileprivate mutating func set(_ field: inout Int?) -> Bool {
        field = number().flatMap(Int.init(exactly:))
        return field != nil
    }

    /// - Returns: False when the next value is neither true nor false.
    fileprivate mutating func set(_ field: inout Bool?) -> Bool {
        field = flag()
        return field != nil
    }
}
