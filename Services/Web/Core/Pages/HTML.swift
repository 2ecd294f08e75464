import ProcessKit

/// Markup in UTF-8. What is interpolated into a literal is escaped, unless it is markup itself:
/// `"<h1>\(title)</h1>" as HTML`.
struct HTML: Sendable, ExpressibleByStringInterpolation {
    private(set) var bytes: [UInt8]

    /// `StaticString`, so that no text of a message can become markup.
    init(stringLiteral literal: StaticString) { bytes = literal.withUTF8Buffer(Array.init) }

    init(stringInterpolation: Interpolation) { bytes = stringInterpolation.bytes }

    static func + (first: HTML, second: HTML) -> HTML {
        var both = first
        both.bytes += second.bytes
        return both
    }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: StaticString) { literal.withUTF8Buffer { bytes += $0 } }

        mutating func appendInterpolation(_ text: String) { HTML.escape(text, into: &bytes) }

        mutating func appendInterpolation(_ number: Int) { bytes += String(number).utf8 }

        mutating func appendInterpolation(_ markup: HTML?) {
            if let markup { bytes += markup.bytes }
        }

        mutating func appendInterpolation(_ markups: [HTML]) {
            for markup in markups { bytes += markup.bytes }
        }
    }

    /// Goes by bytes: with a combining accent a quotation mark is another character, but still ends an attribute.
    private static func escape(_ text: String, into bytes: inout [UInt8]) {
        // Neither HTML nor XML can contain control characters.
        for byte in text.withoutControls.utf8 {
            switch byte {
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case UInt8(ascii: "'"): bytes += "&#39;".utf8
            default: bytes.append(byte)
            }
        }
    }
}
