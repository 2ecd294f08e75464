/// Writes JSON of a known shape directly into bytes.
///
/// Every message has a header and causes events; a general encoder takes several microseconds for each, this writer a
/// few hundred nanoseconds. The bytes equal those of Foundation's encoder with sorted keys and unescaped slashes, if
/// the caller writes the keys in sorted order. Keys are ASCII without quotes.
public struct JSONWriter: ~Copyable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// - Parameter capacity: The expected number of bytes; the buffer grows beyond it.
    public init(capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// - Parameter key: The key of a nested object; nil for the outermost object and for an element of an array.
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

    /// Appends an element of an array.
    public mutating func element(_ text: String) {
        separate()
        write(text)
    }

    /// Appends an element of an array.
    public mutating func element(_ number: Int64) {
        separate()
        bytes.append(decimal: number)
    }

    /// Appends an element of an array as `field(_:decimal:)` writes a value.
    public mutating func element(decimal number: Double) {
        separate()
        write(decimal: number)
    }

    /// Appends null to an array.
    public mutating func missingElement() {
        separate()
        bytes.append(ascii: "null")
    }

    /// Appends an element of an array that is already JSON.
    public mutating func element(json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    public mutating func field(_ key: StaticString, _ text: String) {
        write(key: key)
        write(text)
    }

    /// Writes a field whose key is not known at compile time.
    public mutating func field(text key: String, _ value: Scalar) {
        separate()
        write(key)
        bytes.append(UInt8(ascii: ":"))
        switch value {
        case .text(let text): write(text)
        case .number(let number): bytes.append(decimal: number)
        case .decimal(let number): bytes.append(contentsOf: String(number).utf8)
        case .flag(let flag): write(flag)
        case .list(let items):
            bytes.append(UInt8(ascii: "["))
            needsComma = false
            for item in items { element(item) }
            endArray()
        case .null: bytes.append(ascii: "null")
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
        bytes.append(UInt8(ascii: "\""))
        bytes.append(ascii: text)
        bytes.append(UInt8(ascii: "\""))
    }

    public mutating func field(_ key: StaticString, _ number: Int64) {
        write(key: key)
        bytes.append(decimal: number)
    }

    public mutating func field(_ key: StaticString, flag: Bool) {
        write(key: key)
        write(flag)
    }

    /// Writes the number as Foundation's encoder does; null unless it is finite.
    public mutating func field(_ key: StaticString, decimal number: Double) {
        write(key: key)
        write(decimal: number)
    }

    /// Writes null.
    public mutating func field(missing key: StaticString) {
        write(key: key)
        bytes.append(ascii: "null")
    }

    // MARK: Values that may be missing: null

    public mutating func optionalField(_ key: StaticString, _ text: String?) {
        if let text { field(key, text) } else { field(missing: key) }
    }

    public mutating func optionalField(_ key: StaticString, _ number: Int64?) {
        if let number { field(key, number) } else { field(missing: key) }
    }

    public mutating func optionalField(_ key: StaticString, _ number: Int?) {
        optionalField(key, number.map(Int64.init))
    }

    public mutating func optionalField(_ key: StaticString, _ number: Double?) {
        if let number { field(key, decimal: number) } else { field(missing: key) }
    }

    public mutating func optionalField(_ key: StaticString, _ flag: Bool?) {
        if let flag { field(key, flag: flag) } else { field(missing: key) }
    }

    // MARK: Other forms of texts

    /// Writes the numbers as text of 16 hexadecimal digits each.
    public mutating func field(_ key: StaticString, hexadecimal number: UInt64, _ second: UInt64? = nil) {
        field(key, length: second == nil ? 16 : 32) { text in
            number.writeHexadecimal(to: text, at: 0)
            second?.writeHexadecimal(to: text, at: 16)
        }
    }

    /// Writes a text of known length that needs no escaping.
    public mutating func field(
        _ key: StaticString, length: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Void
    ) {
        self.write(key: key)
        bytes.append(UInt8(ascii: "\""))
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: length))
        bytes.withUnsafeMutableBufferPointer { write(UnsafeMutableBufferPointer(rebasing: $0[start...])) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a value that is already JSON.
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
        bytes.append(ascii: key)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func write(decimal number: Double) {
        guard number.isFinite else { return bytes.append(ascii: "null") }
        bytes.append(decimal: number)
    }

    private mutating func write(_ flag: Bool) {
        bytes.append(ascii: flag ? "true" : "false")
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { characters in
            // All bytes are checked, which is faster than stopping at the first match; almost all texts are names and
            // ids, written by one copy.
            if characters.reduce(true, { $0 && Self.isPlain($1) }) {
                bytes.append(contentsOf: characters)
            } else {
                writeEscaped(characters)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && !JSONControls.mayBegin(byte)
    }

    private mutating func writeEscaped(_ characters: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < characters.count {
            let byte = characters[index]
            if let control = JSONControls.control(in: characters, at: index) {
                bytes.append(escape: control.value)
                index += control.length
                continue
            }
            if Self.isPlain(byte) || JSONControls.mayBegin(byte) { bytes.append(byte) } else { writeEscaped(byte) }
            index += 1
        }
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
            bytes.append(ascii: "u00")
            bytes.append(0x30 + byte >> 4)
            let digit = byte & 0xf
            bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }
}

extension [UInt8] {
    mutating func append(ascii text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends decimal digits.
    mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var (count, power): (Int, UInt64) = (1, 10)
        // The largest number has 19 digits, so that the power does not overflow.
        while count < 19, rest >= power { (count, power) = (count + 1, power * 10) }
        let start = self.count
        append(contentsOf: repeatElement(0, count: count))
        // Dividing by a constant needs no division.
        for index in stride(from: start + count - 1, through: start, by: -1) {
            self[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Appends the shortest decimal that reads as this number, as Foundation's encoder does.
    mutating func append(decimal number: Double) {
        let hundredths = (number * 100).rounded()
        // Percentages have two decimals; below 15 digits, a decimal is the only one of its number.
        guard abs(hundredths) < 1e14, hundredths / 100 == number, let whole = Int64(exactly: hundredths) else {
            let text = String(number)
            return append(contentsOf: text.hasSuffix(".0") ? text.dropLast(2).utf8 : text[...].utf8)
        }
        if whole < 0, whole > -100 { append(UInt8(ascii: "-")) }
        append(decimal: whole / 100)
        let rest = UInt8(truncatingIfNeeded: (whole % 100).magnitude)
        guard rest > 0 else { return }
        append(UInt8(ascii: "."))
        append(0x30 + rest / 10)
        if rest % 10 > 0 { append(0x30 + rest % 10) }
    }
}
