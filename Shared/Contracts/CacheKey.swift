internal import BoxOffice

/// The name of a stored part: kind and sorted parameters, so that their order never matters (F24).
public enum CacheKey {
    /// - Parameter parameters: each name once; absolute values, never an API key, and nil for what is not given. Text is
    ///   composed (NFC), so that both spellings of a Hangul title are one key; what would end a value is percent-encoded.
    public static func make(_ kind: String, _ parameters: [(name: String, value: String?)]) -> String {
        var key = ""
        key.reserveCapacity(48)
        key += kind
        key += "?"
        var separator = ""
        for (name, value) in parameters.sorted(by: { $0.name < $1.name }) {
            guard let value else { continue }
            key += separator
            key += escaped(name)
            key += "="
            key += escaped(value)
            separator = "&"
        }
        return key
    }

    /// A parameter's value as it is in a key.
    static func escaped(_ text: String) -> String {
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
