extension UInt64 {
    /// 16 hexadecimal digits.
    public var hexadecimal: String {
        String(unsafeUninitializedCapacity: 16) { digits in
            writeHexadecimal(to: digits, at: 0)
            return 16
        }
    }

    /// Writes 16 hexadecimal digits.
    public func writeHexadecimal(to text: UnsafeMutableBufferPointer<UInt8>, at offset: Int) {
        for index in 0..<16 { text[offset + index] = (self >> UInt64(60 - 4 * index)).lowestDigit }
    }

    /// Reads up to 16 hexadecimal digits in lower case; nil for other bytes.
    public init?(hexadecimalDigits bytes: ArraySlice<UInt8>) {
        guard 1...16 ~= bytes.count else { return nil }
        self = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = self << 4 | UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): self = self << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
    }

    /// The hexadecimal digit of the lowest four bits.
    var lowestDigit: UInt8 {
        let digit = UInt8(truncatingIfNeeded: self) & 0xf
        return digit < 10 ? 0x30 + digit : 0x57 + digit
    }
}
