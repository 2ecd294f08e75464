internal import FlatJSON

extension CacheFacts: PlainJSON {
    public func json() -> [UInt8] {
        var json = JSONWriter(capacity: 96)
        json.beginObject()
        if let age { json.field("age", Int64(age)) }
        if let collapsed { json.field("collapsed", flag: collapsed) }
        if let detail { json.field("detail", detail) }
        if let fwd { json.field("fwd", fwd.rawValue) }
        json.field("hit", flag: hit)
        if let stored { json.field("stored", flag: stored) }
        if let ttl { json.field("ttl", Int64(ttl)) }
        json.endObject()
        return json.bytes
    }

    public init?(plainJSON bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard reader.take("{") else { return nil }
        var facts = CacheFacts(hit: false)
        var hasHit = false
        repeat {
            guard let key = reader.key() else { return nil }
            switch key {
            case "age": guard facts.age == nil, reader.set(&facts.age) else { return nil }
            case "ttl": guard facts.ttl == nil, reader.set(&facts.ttl) else { return nil }
            case "collapsed": guard facts.collapsed == nil, reader.set(&facts.collapsed) else { return nil }
            case "stored": guard facts.stored == nil, reader.set(&facts.stored) else { return nil }
            case "hit":
                guard !hasHit, let hit = reader.flag() else { return nil }
                facts.hit = hit
                hasHit = true
            case "fwd":
                guard facts.fwd == nil, let word = reader.text() else { return nil }
                facts.fwd = Forward(rawValue: word)
            case "detail":
                guard facts.detail == nil, let text = reader.text() else { return nil }
                facts.detail = text
            default: return nil
            }
        } while reader.take(",")
        guard reader.take("}"), reader.isAtEnd, hasHit else { return nil }
        self = facts
    }
}

extension TimingFacts: PlainJSON {
    public func json() -> [UInt8] {
        var json = JSONWriter(capacity: 80)
        json.beginObject()
        if let upstreamCalls { json.field("upstreamCalls", Int64(upstreamCalls)) }
        if let upstreamMicroseconds { json.field("upstreamMicroseconds", Int64(upstreamMicroseconds)) }
        if let upstreamOutcomes {
            json.beginArray("upstreamOutcomes")
            for outcome in upstreamOutcomes { json.element(outcome) }
            json.endArray()
        }
        json.field("workMicroseconds", Int64(workMicroseconds))
        json.endObject()
        return json.bytes
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
    /// False when there is no whole number.
    fileprivate mutating func set(_ field: inout Int?) -> Bool {
        field = number().flatMap(Int.init(exactly:))
        return field != nil
    }

    /// False when there is neither true nor false.
    fileprivate mutating func set(_ field: inout Bool?) -> Bool {
        field = flag()
        return field != nil
    }
}
