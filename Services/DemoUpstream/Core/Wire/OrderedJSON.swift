/// A JSON value that keeps the order of its members, which Foundation's encoder does not.
///
/// KOBIS answers in a stable order, and a demo body should be comparable with a recorded one.
indirect enum OrderedJSON: Sendable {
    case object([(name: String, value: OrderedJSON)])
    case array([OrderedJSON])
    case string(String)
    case number(Int)
    case bool(Bool)

    /// Compact UTF-8, as on the wire.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                OrderedJSON.string(member.name).write(to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .string(let text):
            bytes.append(UInt8(ascii: "\""))
            for byte in text.utf8 { bytes.append(contentsOf: escaped(byte)) }
            bytes.append(UInt8(ascii: "\""))
        case .number(let number): bytes.append(contentsOf: String(number).utf8)
        case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        }
    }
}

private func escaped(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "\""): Array(#"\""#.utf8)
    case UInt8(ascii: "\\"): Array(#"\\"#.utf8)
    case 0..<0x10: Array("\\u000\(String(byte, radix: 16))".utf8)
    case 0x10..<0x20: Array("\\u00\(String(byte, radix: 16))".utf8)
    default: [byte]
    }
}
