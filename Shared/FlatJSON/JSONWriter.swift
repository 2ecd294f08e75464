/// Writes JSON of a known shape directly into bytes.
///
/// Every message has a header and causes events; a general encoder takes several microseconds for each, this writer a
/// few hundred nanoseconds. The bytes equal those of Foundation's encoder with sorted keys and unescaped slashes, if
/// the caller writes the keys in sorted order. Keys are ASCII without quotes.
public struct JSONWriter: ~Copyable {
    private var written: ByteAppender
    private var needsComma = false

    /// - Parameter capacity: The expected number of bytes; the buffer grows beyond it.
    public init(capacity: Int = 256) {
        written = ByteAppender(capacity: capacity)
    }

    /// A copy of the written bytes.
    public var bytes: [UInt8] { written.bytes }

    /// - Parameter key: The key of a nested object; nil for the outermost object and for an element of an array.
    public mutating func beginObject(_ key: StaticString? = nil) {
        if let key { write(key: key) } else { separate() }
        written.append(UInt8(ascii: "{"))
        needsComma = false
    }

    public mutating func endObject() {
        written.append(UInt8(ascii: "}"))
        needsComma = true
    }

    public mutating func beginArray(_ key: StaticString? = nil) {
        if let key { write(key: key) } else { separate() }
        written.append(UInt8(ascii: "["))
        needsComma = false
    }

    public mutating func endArray() {
        written.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Appends an element of an array.
    public mutating func element(_ text: String) {
        separate()
        write(text)
    }

    /// Appends an element of an array.
    public mutating func element(_ number: Int64) {
        separate()
        written.append(number)
    }

    /// Appends an element of an array that is already JSON.
    public mutating func element(json: [UInt8]) {
        separate()
        written.append(json)
    }

    public mutating func field(_ key: StaticString, _ text: String) {
        write(key: key)
        write(text)
    }

    /// Writes a field whose key is not known at compile time.
    public mutating func field(text key: String, _ value: Scalar) {
        separate()
        write(key)
        written.append(UInt8(ascii: ":"))
        switch value {
        case .text(let text): write(text)
        case .number(let number): written.append(number)
        case .decimal(let number): written.append(Array(String(number).utf8))
        case .flag(let flag): write(flag)
        case .list(let items):
            written.append(UInt8(ascii: "["))
            needsComma = false
            for item in items { element(item) }
            endArray()
        case .null: written.append(ascii: "null")
        }
    }

    public enum Scalar {
        case text(String)
        case number(Int64)
        /// A finite number.
        case decimal(Double)
        case flag(Bool)
        case list([String])
        case null
    }

    /// Writes a text that needs no escaping.
    public mutating func field(_ key: StaticString, _ text: StaticString) {
        write(key: key)
        written.append(UInt8(ascii: "\""))
        written.append(ascii: text)
        written.append(UInt8(ascii: "\""))
    }

    public mutating func field(_ key: StaticString, _ number: Int64) {
        write(key: key)
        written.append(number)
    }

    public mutating func field(_ key: StaticString, flag: Bool) {
        write(key: key)
        write(flag)
    }

    /// Writes null.
    public mutating func field(missing key: StaticString) {
        write(key: key)
        written.append(ascii: "null")
    }

    /// Writes the numbers as text of 16 hexadecimal digits each.
    public mutating func field(_ key: StaticString, hexadecimal numbers: UInt64...) {
        write(key: key)
        written.append(UInt8(ascii: "\""))
        for number in numbers { written.append(hexadecimal: number) }
        written.append(UInt8(ascii: "\""))
    }

    /// Writes a value that is already JSON.
    public mutating func field(_ key: StaticString, json: [UInt8]) {
        write(key: key)
        written.append(json)
    }

    // MARK: Pieces

    private mutating func separate() {
        if needsComma { written.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func write(key: StaticString) {
        separate()
        written.append(UInt8(ascii: "\""))
        written.append(ascii: key)
        written.append(UInt8(ascii: "\""))
        written.append(UInt8(ascii: ":"))
    }

    private mutating func write(_ flag: Bool) {
        written.append(ascii: flag ? "true" : "false")
    }

    private mutating func write(_ text: String) {
        written.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { characters in
            // All bytes are checked, which is faster than stopping at the first match; almost all texts are names and
            // ids, written by one copy.
            if characters.reduce(true, { $0 && Self.isPlain($1) }) {
                written.append(characters)
            } else {
                writeEscaped(characters)
            }
        }
        written.append(UInt8(ascii: "\""))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && !JSONControls.mayBegin(byte)
    }

    private mutating func writeEscaped(_ characters: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < characters.count {
            let byte = characters[index]
            if let control = JSONControls.control(in: characters, at: index) {
                written.append(escape: control.value)
                index += control.length
                continue
            }
            if Self.isPlain(byte) || JSONControls.mayBegin(byte) { written.append(byte) } else { writeEscaped(byte) }
            index += 1
        }
    }

    private mutating func writeEscaped(_ byte: UInt8) {
        written.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): written.append(byte)
        case 0x08: written.append(UInt8(ascii: "b"))
        case 0x09: written.append(UInt8(ascii: "t"))
        case 0x0a: written.append(UInt8(ascii: "n"))
        case 0x0c: written.append(UInt8(ascii: "f"))
        case 0x0d: written.append(UInt8(ascii: "r"))
        default:
            written.append(ascii: "u00")
            written.append(0x30 + byte >> 4)
            let digit = byte & 0xf
            written.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }
}
