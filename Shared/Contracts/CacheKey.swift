internal import BoxOffice

/// The name of a stored part: kind and sorted parameters, so that their order never matters (F24).
public enum CacheKey {
    /// - Parameter parameters: absolute values, never an API key. Text is composed (NFC), so that both spellings of a
    ///   Hangul title are one key; what would end a value is percent-encoded.
    public static func make(_ kind: String, _ parameters: [String: String]) -> String {
        let pairs = parameters.sorted { $0.key < $1.key }.map { "\(escaped($0.key))=\(escaped($0.value))" }
        return "\(kind)?\(pairs.joined(separator: "&"))"
    }

    private static func escaped(_ text: String) -> String {
        // Codes and dates, of which most keys are made, need nothing.
        if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x25 && $0 != 0x26 && $0 != 0x3D }) { return text }
        // By scalar: as a character, "&" with a combining mark after it is not "&".
        return text.nfc.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "%": result += "%25"
            case "&": result += "%26"
            case "=": result += "%3D"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
