internal import Domain

/// The name of a stored part: kind and sorted parameters, so that their order is irrelevant.
public enum CacheKey {
    /// - Parameter parameters: Unique names with absolute values, never an API key; nil for an absent value. Text is
    ///   composed (NFC), so that both spellings of a Hangul title are one key; delimiters are percent-encoded.
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

    /// The form of a parameter's value in a key.
    static func escaped(_ text: String) -> String {
        // Most keys contain only codes and dates, which need no escaping.
        if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x25 && $0 != 0x26 && $0 != 0x3D }) { return text }
        // By scalar: as a character, "&" followed by a combining mark is not equal to "&".
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
