internal import FlatJSON

/// The query that a message belongs to and the call that caused it.
public struct Trace: Sendable, Hashable {
    public let query: UInt64
    public let parent: UInt64?

    public init(query: UInt64, parent: UInt64? = nil) {
        self.query = query
        self.parent = parent
    }

    /// A new query.
    public static func root() -> Trace {
        Trace(query: UniqueNumber.next())
    }

    public var queryText: String { query.hexadecimal }
    public var parentText: String? { parent?.hexadecimal }

    /// The 32 digits that identify a call of this query in events and at the broker.
    public func requestText(call: UInt64) -> String { query.hexadecimal + call.hexadecimal }

    /// W3C Trace Context: the query, repeated, is the trace id (never all zeros, as the standard requires); the call is
    /// the span id.
    func traceparent(span: UInt64) -> String {
        String(unsafeUninitializedCapacity: 55) { text in
            _ = text.update(fromContentsOf: "00-................................-................-01".utf8)
            query.writeHexadecimal(to: text, at: 3)
            query.writeHexadecimal(to: text, at: 19)
            span.writeHexadecimal(to: text, at: 36)
            return 55
        }
    }
}
