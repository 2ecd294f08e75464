/// Halves of a pair of `\\u` escapes in JSON, which a decoder refuses together with the whole body.
enum LoneSurrogates {
    private enum Half {
        case high, low
    }

    private static let length = 6

    /// The JSON with each half that stands alone written as U+FFFD.
    static func replaced(in json: [UInt8]) -> [UInt8] {
        var replaced = json
        var index = 0
        while index < json.count {
            guard json[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            switch half(json, at: index) {
            case .high where half(json, at: index + length) == .low: index += 2 * length
            case .high, .low:
                replaced.replaceSubrange((index + 2)..<(index + length), with: Array("FFFD".utf8))
                index += length
            // Also an escaped backslash, after which a "u" begins nothing.
            case nil: index += 2
            }
        }
        return replaced
    }

    /// Which half begins at the index.
    private static func half(_ json: [UInt8], at index: Int) -> Half? {
        guard index + length <= json.count, json[index] == UInt8(ascii: "\\"), json[index + 1] == UInt8(ascii: "u"),
            let value = UInt16(String(decoding: json[(index + 2)..<(index + length)], as: UTF8.self), radix: 16)
        else { return nil }
        return switch value {
        case 0xD800...0xDBFF: .high
        case 0xDC00...0xDFFF: .low
        default: nil
        }
    }
}
