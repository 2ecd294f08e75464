/// Characters that JSON allows unescaped and that control a terminal or reorder a line: DEL, the C1 controls, and the
/// marks of writing direction.
///
/// They are escaped when a payload is encoded, so that stored bytes can be inserted into an answer unchanged.
public enum JSONControls {
    /// The JSON with each such character written as `\u` and four digits; they occur only in texts.
    public static func escape(_ json: [UInt8]) -> [UInt8] {
        // The usual case: these bytes begin few characters, and no Hangul.
        guard json.contains(where: mayBegin) else { return json }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(json.count + 64)
        json.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < bytes.count {
                if let control = control(in: bytes, at: index) {
                    escaped.append(escape: control.value)
                    index += control.length
                } else {
                    escaped.append(bytes[index])
                    index += 1
                }
            }
        }
        return escaped
    }

    /// Whether such a character may begin with this byte.
    static func mayBegin(_ byte: UInt8) -> Bool {
        byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
    }

    /// The control character at this index and its length in bytes; nil for other characters.
    static func control(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (value: UInt16, length: Int)? {
        func byte(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
        switch bytes[index] {
        case 0x7F: return (0x7F, 1)
        case 0xC2: return 0x80...0x9F ~= byte(1) ? (UInt16(byte(1)), 2) : nil
        case 0xD8: return byte(1) == 0x9C ? (0x061C, 2) : nil
        case 0xE2:
            let value = 0x2000 | UInt16(byte(1) & 0x3F) << 6 | UInt16(byte(2) & 0x3F)
            guard byte(1) == 0x80 || byte(1) == 0x81, 0x80...0xBF ~= byte(2) else { return nil }
            switch value {
            case 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: return (value, 3)
            default: return nil
            }
        default: return nil
        }
    }
}

extension [UInt8] {
    /// `\u` and four hexadecimal digits.
    mutating func append(escape value: UInt16) {
        append(ascii: "\\u")
        for shift in stride(from: UInt16(12), through: 0, by: -4) { append(UInt64(value >> shift).lowestDigit) }
    }
}
