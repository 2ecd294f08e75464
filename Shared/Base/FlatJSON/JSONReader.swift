/// Reads JSON of a known shape: nil means "not the plain case", not "invalid".
///
/// On nil, the caller uses a general decoder, which also describes the faults of invalid JSON. Plain JSON consists of
/// objects and lists without whitespace, whose keys and texts have no escapes.
public struct JSONReader {
    /// A decoder limits the depth from the outermost level; a separately read object stays far below that limit.
    private static let maxDepth = 8

    private let bytes: [UInt8]
    private var position = 0

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Consumes the next byte if it equals `byte`.
    public mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    /// Consumes these bytes if they come next.
    public mutating func take(all text: StaticString) -> Bool {
        let end = position + text.utf8CodeUnitCount
        guard end <= bytes.count, text ~= bytes[position..<end] else { return false }
        position = end
        return true
    }

    public var isAtEnd: Bool { position == bytes.count }

    /// Reads the text at the current position, without quotes.
    public mutating func text() -> String? {
        guard let (range, isASCII) = textRange() else { return nil }
        return bytes.withUnsafeBufferPointer {
            let text = UnsafeBufferPointer(rebasing: $0[range])
            // Decoding uses the library's fast path; validation is generic and ten times as slow.
            return isASCII ? String(decoding: text, as: UTF8.self) : String(validating: text, as: UTF8.self)
        }
    }

    /// Reads the text at the current position as bytes, without quotes: no string is made.
    public mutating func textBytes() -> ArraySlice<UInt8>? { textRange().map { bytes[$0.range] } }

    /// Reads the list at the current position.
    ///
    /// Inlinable, so that it is specialised for each type of item.
    ///
    /// - Parameters:
    ///   - count: The expected number of items, for which capacity is reserved.
    ///   - item: Reads one item; nil ends the reading.
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

    /// Reads the whole number at the current position.
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

    /// Reads the number at the current position, without an exponent and with at most 15 digits: then it is exact.
    public mutating func decimal() -> Double? {
        let isNegative = take("-")
        let start = position
        guard let whole = number(), whole >= 0 else { return nil }
        var (mantissa, divisor, digits) = (Double(whole), 1.0, position - start)
        if take(".") {
            let first = position
            while position < bytes.count, case let digit = bytes[position], (0x30...0x39).contains(digit) {
                mantissa = mantissa * 10 + Double(digit - 0x30)
                divisor *= 10
                position += 1
            }
            digits += position - first
            guard position > first else { return nil }
        }
        guard digits <= 15 else { return nil }
        return (isNegative ? -mantissa : mantissa) / divisor
    }

    /// Reads true or false.
    public mutating func flag() -> Bool? {
        if take(all: "true") { return true }
        return take(all: "false") ? false : nil
    }

    /// Reads a key and the colon after it, as bytes: comparing bytes costs less than creating a string.
    public mutating func key() -> ArraySlice<UInt8>? {
        guard let (range, _) = textRange(), take(":") else { return nil }
        return bytes[range]
    }

    /// Consumes the object at the current position and returns its bytes; only brackets and texts are parsed.
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
    // Byte by byte in place: a comparison as sequences creates iterators.
    return bytes.withUnsafeBufferPointer { bytes in bytes.indices.allSatisfy { bytes[$0] == text.utf8Start[$0] } }
}
