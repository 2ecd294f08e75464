/// JSON as people read it on a terminal: indented, one member a line, coloured by kind.
public struct JSONText: Sendable {
    private let style: TextStyle

    public init(style: TextStyle) {
        self.style = style
    }

    /// - Parameter json: one valid JSON text, or several; other bytes are kept as they are.
    public func indented(_ json: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(json.count * 2)
        var depth = 0
        var index = json.startIndex
        func newLine() { output += Array("\n".utf8) + Array(repeating: UInt8(ascii: " "), count: 2 * depth) }
        while index < json.endIndex {
            let byte = json[index]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                output.append(byte)
                let next = json[(index + 1)...].first { !Self.isBlank($0) }
                if next == UInt8(ascii: "}") || next == UInt8(ascii: "]") {
                    // An empty object or list stays on its line.
                    index = json[index...].firstIndex { $0 == next } ?? json.endIndex - 1
                    output.append(json[index])
                } else {
                    depth += 1
                    newLine()
                }
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                newLine()
                output.append(byte)
                index += 1
            case UInt8(ascii: ","):
                output.append(byte)
                newLine()
                index += 1
            case UInt8(ascii: ":"):
                output += Array(": ".utf8)
                index += 1
            case UInt8(ascii: "\""):
                let end = Self.endOfText(in: json, from: index)
                let isKey = json[end...].first { !Self.isBlank($0) } == UInt8(ascii: ":")
                let text = String(decoding: json[index..<end], as: UTF8.self)
                output += Array((isKey ? style.cyan(text) : style.green(text)).utf8)
                index = end
            case _ where Self.isBlank(byte):
                if depth == 0 { output.append(byte) }
                index += 1
            default:
                let end = json[index...].firstIndex { ",]}".utf8.contains($0) || Self.isBlank($0) } ?? json.endIndex
                let word = String(decoding: json[index..<end], as: UTF8.self)
                output += Array((word == "null" ? style.dim(word) : style.yellow(word)).utf8)
                index = end
            }
        }
        return output
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// The index after the closing quotation mark.
    private static func endOfText(in json: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < json.endIndex, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, json.endIndex)
    }
}
