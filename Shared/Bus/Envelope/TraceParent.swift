internal import FlatJSON

/// The `traceparent` of W3C Trace Context, version 00: "00-<trace, 32 hex>-<span, 16 hex>-<flags, 2 hex>".
public struct TraceParent: Codable, Sendable, Hashable, CustomStringConvertible {
    static let length = 55

    private let traceHigh: UInt64
    private let traceLow: UInt64
    private let span: UInt64
    private let flags: UInt8

    /// The query, repeated, is the trace id (never all zeros, as the standard requires); the call is the span id.
    public init(query: UInt64, call: UInt64) {
        (traceHigh, traceLow, span) = (query, query, call)
        // Sampled.
        flags = 1
    }

    /// Nil for a text of another version or form.
    init?(_ text: ArraySlice<UInt8>) {
        let start = text.startIndex
        func number(_ range: Range<Int>) -> UInt64? {
            UInt64(hexadecimalDigits: text[start + range.lowerBound..<start + range.upperBound])
        }
        guard text.count == Self.length, [2, 35, 52].allSatisfy({ text[start + $0] == UInt8(ascii: "-") }),
            number(0..<2) == 0, let high = number(3..<19), let low = number(19..<35), let span = number(36..<52),
            let flags = number(53..<55)
        else { return nil }
        (traceHigh, traceLow, self.span, self.flags) = (high, low, span, UInt8(flags))
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let parent = TraceParent(Array(try container.decode(String.self).utf8)[...]) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no traceparent of version 00")
        }
        self = parent
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    public var description: String {
        String(unsafeUninitializedCapacity: Self.length) { text in
            write(to: text)
            return Self.length
        }
    }

    /// Writes the text, which has `length` bytes.
    func write(to text: UnsafeMutableBufferPointer<UInt8>) {
        // From the end, since each number has 16 digits.
        UInt64(flags).writeHexadecimal(to: text, at: 39)
        text[52] = UInt8(ascii: "-")
        span.writeHexadecimal(to: text, at: 36)
        text[35] = UInt8(ascii: "-")
        traceLow.writeHexadecimal(to: text, at: 19)
        traceHigh.writeHexadecimal(to: text, at: 3)
        for (index, byte) in "00-".utf8.enumerated() { text[index] = byte }
    }
}
