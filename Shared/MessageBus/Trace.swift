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

    /// The 32 digits of a call of this query, as events and the broker name it.
    public func requestText(call: UInt64) -> String { query.hexadecimal + call.hexadecimal }

    /// W3C Trace Context: the query is the trace (its upper half zero-free, as the standard wants), the call the span.
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

extension UInt64 {
    /// 16 hexadecimal digits.
    var hexadecimal: String {
        String(unsafeUninitializedCapacity: 16) { digits in
            writeHexadecimal(to: digits, at: 0)
            return 16
        }
    }

    fileprivate func writeHexadecimal(to text: UnsafeMutableBufferPointer<UInt8>, at offset: Int) {
        for index in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: self >> UInt64(60 - 4 * index)) & 0xf
            text[offset + index] = digit < 10 ? 0x30 + digit : 0x57 + digit
        }
    }
}
