#if canImport(FoundationEssentials)
    @_spi(_Unicode) internal import Swift
#else
    internal import Foundation
#endif

extension String {
    /// The text in Unicode normalisation form C: the same Hangul syllable is the same bytes, however it was typed.
    ///
    /// Swift compares strings by canonical equivalence, so `==` needs no help; whatever turns text into BYTES (cache keys,
    /// query strings, widths) does. Text from macOS file names and some input methods arrives decomposed (NFD).
    public var nfc: String {
        #if canImport(FoundationEssentials)
            // The standard library holds the tables and FoundationEssentials itself uses this entrance to them; the public
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
