#if canImport(FoundationEssentials)
    @_spi(_Unicode) internal import Swift
#else
    internal import Foundation
#endif

extension String {
    /// The text in Unicode normalisation form C: equal Hangul syllables have equal bytes, however typed.
    ///
    /// Swift compares strings by canonical equivalence, so `==` does not need it; conversion to bytes (cache keys,
    /// query strings, widths) does. Text from macOS file names and some input methods arrives decomposed (NFD).
    public var nfc: String {
        #if canImport(FoundationEssentials)
            // The standard library contains the tables, and FoundationEssentials itself uses this function; the public
            // `precomposedStringWithCanonicalMapping` would link all of Foundation and its ICU.
            guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
            var composed = String.UnicodeScalarView()
            composed.append(contentsOf: _nfc)
            return String(composed)
        #else
            return precomposedStringWithCanonicalMapping
        #endif
    }
}

extension String {
    /// Eight hexadecimal digits that identify the text: a 32-bit hash (FNV-1a), the same on every machine.
    public var fingerprint: String {
        let hash = utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension String {
    /// The text's UTF-8 with every byte percent-encoded that RFC 3986 does not call unreserved.
    ///
    /// Foundation's `urlQueryAllowed` does not encode "&", "+" and "=", which titles contain.
    public var percentEncoded: String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(utf8.count * 3)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            default:
                encoded += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

private func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
}
