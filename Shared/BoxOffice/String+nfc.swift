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
