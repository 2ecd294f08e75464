/// Writes JSON of known shape straight into bytes.
///
/// Headers and events come with every message; a general encoder takes several microseconds for each, this some hundred
/// nanoseconds. The bytes are those of Foundation's encoder with sorted keys and plain slashes, if the caller writes the
/// keys in their order. Keys are ASCII without quotes.
public struct JSONWriter: ~Copyable {
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    public init(capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// - Parameter key: of an object within one; nil for the outermost, and for an element of an array.
    public mutating func beginObject(_ key: StaticString? = nil) {
        if let key { write(key: key) } else { separate() }
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    public mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    public mutating func beginArray(_ key: StaticString? = nil) {
        if let key { write(key: key) } else { separate() }
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    public mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Of an array.
    public mutating func element(_ text: String) {
        separate()
        write(text)
    }

    /// Of an array.
    public mutating func element(_ number: Int64) {
        separate()
        write(number)
    }

    /// Of an array; JSON already.
    public mutating func element(json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    public mutating func field(_ key: StaticString, _ text: String) {
        write(key: key)
        write(text)
    }

    /// For keys that are not known beforehand.
    public mutating func field(text key: String, _ value: Scalar) {
        separate()
        write(key)
        bytes.append(UInt8(ascii: ":"))
        switch value {
        case .text(let text): write(text)
        case .number(let number): write(number)
        case .decimal(let number): bytes.append(contentsOf: String(number).utf8)
        case .flag(let flag): write(ascii: flag ? "true" : "false")
        case .list(let items):
            bytes.append(UInt8(ascii: "["))
            needsComma = false
            for item in items { element(item) }
            endArray()
        case .null: write(ascii: "null")
        }
    }

    public enum Scalar {
        case text(String)
        case number(Int64)
        /// Finite.
        case decimal(Double)
        case flag(Bool)
        case list([String])
        case null
    }

    /// A text that needs no escaping.
    public mutating func field(_ key: StaticString, _ text: StaticString) {
        write(key: key)
        bytes.append(UInt8(ascii: "\""))
        write(ascii: text)
        bytes.append(UInt8(ascii: "\""))
    }

    public mutating func field(_ key: StaticString, _ number: Int64) {
        write(key: key)
        write(number)
    }

    public mutating func field(_ key: StaticString, flag: Bool) {
        write(key: key)
        write(ascii: flag ? "true" : "false")
    }

    /// null.
    public mutating func field(missing key: StaticString) {
        write(key: key)
        write(ascii: "null")
    }

    /// The numbers as text of 16 hexadecimal digits each.
    public mutating func field(_ key: StaticString, hexadecimal numbers: UInt64...) {
        write(key: key)
        bytes.append(UInt8(ascii: "\""))
        for number in numbers {
            for shift in stride(from: 60, through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 0xf
                bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// A value that is JSON already.
    public mutating func field(_ key: StaticString, json: [UInt8]) {
        write(key: key)
        bytes.append(contentsOf: json)
    }

    // MARK: Pieces

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func write(key: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        write(ascii: key)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func write(ascii text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { characters in
            if characters.allSatisfy(Self.isPlain) {
                // One copy; almost all texts are names and ids.
                bytes.append(contentsOf: characters)
            } else {
                for byte in characters {
                    if Self.isPlain(byte) { bytes.append(byte) } else { writeEscaped(byte) }
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func writeEscaped(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0a: bytes.append(UInt8(ascii: "n"))
        case 0x0c: bytes.append(UInt8(ascii: "f"))
        case 0x0d: bytes.append(UInt8(ascii: "r"))
        default:
            write(ascii: "u00")
            bytes.append(0x30 + byte >> 4)
            let digit = byte & 0xf
            bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }

    private mutating func write(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        // From the first digit on: turning a slice round afterwards would copy it.
        var unit: UInt64 = 1
        while number.magnitude / unit >= 10 { unit *= 10 }
        while unit > 0 {
            bytes.append(0x30 + UInt8(number.magnitude / unit % 10))
            unit /= 10
        }
    }
}
