/// Reads JSON of known shape, optimistically: nil means "not the plain case", never "wrong".
///
/// Whoever gets nil asks a general decoder, which also knows what to say about bytes that are no JSON. Plain are objects
/// without blanks and lists whose keys and texts have no escapes.
public struct JSONReader {
    /// A decoder counts levels from the outermost on; this keeps an object read alone far from its limit.
    private static let maxDepth = 8

    private let bytes: [UInt8]
    private var position = 0

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Takes one byte if it is that one.
    public mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    /// Takes these bytes if they come next.
    public mutating func take(all text: StaticString) -> Bool {
        let end = position + text.utf8CodeUnitCount
        guard end <= bytes.count, text ~= bytes[position..<end] else { return false }
        position = end
        return true
    }

    public var isAtEnd: Bool { position == bytes.count }

    /// The text that begins here, quotes taken off.
    public mutating func text() -> String? {
        guard let (range, isASCII) = textRange() else { return nil }
        return bytes.withUnsafeBufferPointer {
            let text = UnsafeBufferPointer(rebasing: $0[range])
            // Decoding is the library's fast path; validating is generic, and ten times as slow.
            return isASCII ? String(decoding: text, as: UTF8.self) : String(validating: text, as: UTF8.self)
        }
    }

    /// The list that begins here.
    ///
    /// Inlinable, so that it is compiled for each kind of item.
    ///
    /// - Parameters:
    ///   - count: for how many to make room; there may be fewer, or more.
    ///   - item: reads one of it; nil ends the reading.
    @inlinable
    public mutating func list<Item>(roomFor count: Int = 0, _ item: (inout JSONReader) -> Item?) -> [Item]? {
        guard take("[") else { return nil }
        var items: [Item] = []
        if take("]") { return items }
        items.reserveCapacity(count)
        repeat {
            guard let next = item(&self) else { return nil }
            items.append(next)
        } while take(",")
        return take("]") ? items : nil
    }

    /// The whole number that begins here.
    public mutating func number() -> Int64? {
        let isNegative = take("-")
        let start = position
        var value: Int64 = 0
        while position < bytes.count, case let digit = bytes[position], (0x30...0x39).contains(digit) {
            let (tens, isTooLong) = value.multipliedReportingOverflow(by: 10)
            let ones = Int64(digit - 0x30)
            let (sum, isTooLarge) = tens.addingReportingOverflow(isNegative ? -ones : ones)
            guard !isTooLong, !isTooLarge else { return nil }
            value = sum
            position += 1
        }
        let hasLeadingZero = position > start + 1 && bytes[start] == 0x30
        return position == start || hasLeadingZero ? nil : value
    }

    /// true or false.
    public mutating func flag() -> Bool? {
        if take(all: "true") { return true }
        return take(all: "false") ? false : nil
    }

    /// A key and the colon after it, as bytes: comparing them costs less than making a string.
    public mutating func key() -> ArraySlice<UInt8>? {
        guard let (range, _) = textRange(), take(":") else { return nil }
        return bytes[range]
    }

    /// The bytes of the object that begins here, unread but for its brackets and texts.
    public mutating func object() -> [UInt8]? {
        let start = position
        guard take("{") else { return nil }
        var depth = 1
        while depth > 0 {
            guard position < bytes.count, depth <= Self.maxDepth else { return nil }
            switch bytes[position] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "["): return nil
            case UInt8(ascii: "\""):
                guard textRange() != nil else { return nil }
                continue
            default: break
            }
            position += 1
        }
        return Array(bytes[start..<position])
    }

    private mutating func textRange() -> (range: Range<Int>, isASCII: Bool)? {
        guard take("\"") else { return nil }
        let start = position
        var union: UInt8 = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return (start..<position - 1, union < 0x80)
            case UInt8(ascii: "\\"), 0..<0x20: return nil
            default:
                union |= byte
                position += 1
            }
        }
        return nil
    }
}

/// Compares bytes with a text known at compile time.
public func ~= (text: StaticString, bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    // Byte by byte where they lie: comparing them as sequences makes an iterator for each.
    return bytes.withUnsafeBufferPointer { bytes in bytes.indices.allSatisfy { bytes[$0] == text.utf8Start[$0] } }
}
