internal import FlatJSON

/// An event for subscribers: ids and attributes, never payloads or keys.
public struct Event: Codable, Sendable, Equatable {
    /// Microseconds since 1970, by the wall clock of the publishing process.
    public var at: Int64
    /// For example "chart.fetched" or "broker.worker_joined".
    public var kind: String
    /// The publishing process, for example "gateway/4711".
    public var source: String
    /// The query it belongs to, 16 hexadecimal digits.
    public var query: String?
    /// The call it belongs to, 32 hexadecimal digits that begin with the query's.
    public var request: String?
    public var attributes: [String: AttributeValue]

    public init(
        at: Int64, kind: String, source: String, query: String? = nil, request: String? = nil,
        attributes: [String: AttributeValue] = [:]
    ) {
        self.at = at
        self.kind = kind
        self.source = source
        self.query = query
        self.request = request
        self.attributes = attributes
    }
}

/// An attribute of an event: a text, a whole number or a flag; a type of a later release affects this attribute only.
public enum AttributeValue: Codable, Sendable, Equatable, CustomStringConvertible {
    case text(String)
    case number(Int)
    case flag(Bool)
    /// A value of another type; it is encoded as null.
    case unknown

    public var description: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        case .flag(let flag): flag ? "yes" : "no"
        case .unknown: "?"
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .unknown
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .unknown: try container.encodeNil()
        }
    }
}

extension AttributeValue {
    /// Nil for a value of another type, which the decoder reads.
    fileprivate init?(_ reader: inout JSONReader) {
        if let text = reader.text() {
            self = .text(text)
        } else if let flag = reader.flag() {
            self = .flag(flag)
        } else if let number = reader.number().flatMap(Int.init(exactly:)) {
            self = .number(number)
        } else {
            return nil
        }
    }
}

extension AttributeValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .flag(value) }
}

extension Event: PlainJSON {
    /// Every message causes events, which every reader of the stream decodes.
    public init?(plainJSON bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard reader.take(all: #"{"at":"#), let at = reader.number(), reader.take(all: #","attributes":"#),
            let attributes = Self.attributes(&reader), reader.take(all: #","kind":"#), let kind = reader.text()
        else { return nil }
        var (query, request): (String?, String?)
        if reader.take(all: #","query":"#) {
            query = reader.text()
            guard query != nil else { return nil }
        }
        if reader.take(all: #","request":"#) {
            request = reader.text()
            guard request != nil else { return nil }
        }
        guard reader.take(all: #","source":"#), let source = reader.text(), reader.take("}"), reader.isAtEnd
        else { return nil }
        self.init(at: at, kind: kind, source: source, query: query, request: request, attributes: attributes)
    }

    private static func attributes(_ reader: inout JSONReader) -> [String: AttributeValue]? {
        guard reader.take("{") else { return nil }
        var attributes: [String: AttributeValue] = [:]
        if reader.take("}") { return attributes }
        repeat {
            guard let name = reader.key(), let value = AttributeValue(&reader),
                attributes.updateValue(value, forKey: String(decoding: name, as: UTF8.self)) == nil
            else { return nil }
        } while reader.take(",")
        return reader.take("}") ? attributes : nil
    }

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

/// The position of an event in a broker's stream: gaps in `sequence` within one `epoch` are lost events.
public struct EventStamp: Sendable, Hashable, Codable {
    /// The broker's run.
    public let epoch: UInt64
    /// 1 for the first event of the epoch, without gaps.
    public let sequence: UInt64

    public init(epoch: UInt64, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    /// 16 bytes, big-endian: the first frame of a published event.
    public var encoded: [UInt8] {
        [epoch, sequence].flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }

    public init?(_ frame: [UInt8]) {
        guard frame.count == 16 else { return nil }
        func number(_ range: Range<Int>) -> UInt64 { frame[range].reduce(0) { $0 << 8 | UInt64($1) } }
        let sequence = number(8..<16)
        // No broker reaches this number; beyond it, sums and differences would overflow.
        guard sequence < 1 << 62 else { return nil }
        self.init(epoch: number(0..<8), sequence: sequence)
    }
}
