import Envelope

/// One invented message of every kind that this version writes.
enum MessageSamples {
    static func all() throws -> [MessageVector] {
        try parts() + images() + cache() + upkeep() + quota() + archive() + questions() + fills() + services()
            + failures() + events()
    }

    /// - Parameter payload: the value in the payload; nil when it is empty.
    static func request(
        _ name: String, kind: String, sender: String = "gateway/4711", parent: HexadecimalID? = nil,
        as requestClass: RequestClass? = nil, _ payload: (any Encodable)? = nil, attachments: [String] = []
    ) throws -> MessageVector {
        var header = header(kind: kind, sender: sender, parent: parent)
        header.requestClass = requestClass
        return try envelope(name, header, payload, attachments)
    }

    static func reply(
        _ name: String, kind: String, sender: String, status: ReplyStatus = .ok, failure: Failure? = nil,
        cache: CacheStatus? = nil, timing: RequestTiming = RequestTiming(workMicroseconds: 412),
        _ payload: (any Encodable)? = nil, attachments: [String] = []
    ) throws -> MessageVector {
        var header = header(kind: kind, sender: sender, parent: nil)
        header.status = status
        header.failure = failure
        header.cache = cache
        header.timing = timing
        return try envelope(name, header, payload, attachments)
    }

    static func alone(_ name: String, _ form: MessageVector.Form, _ value: any Encodable) throws -> MessageVector {
        MessageVector(
            name: name, form: form, payload: typeName(value),
            frames: [String(decoding: try JSONBytes.encode(value), as: UTF8.self)])
    }

    private static func header(kind: String, sender: String, parent: HexadecimalID?) -> Header {
        Header(
            query: HexadecimalID(rawValue: 0xa1), parent: parent, kind: kind, sender: sender,
            traceparent: TraceParent(query: 0xa1, call: 0xb2))
    }

    private static func envelope(
        _ name: String, _ header: Header, _ payload: (any Encodable)?, _ attachments: [String]
    ) throws -> MessageVector {
        let envelope = Envelope(
            header: header, payload: try payload.map { try JSONBytes.encode($0) } ?? [],
            attachments: attachments.map { Array($0.utf8) })
        return MessageVector(
            name: name, form: .envelope, payload: payload.map(typeName),
            frames: try envelope.frames().map { String(decoding: $0, as: UTF8.self) })
    }

    private static func typeName(_ value: any Encodable) -> String {
        let name = "\(type(of: value))"
        return name.hasPrefix("Array<") ? "[\(name.dropFirst(6).dropLast())]" : name
    }
}
