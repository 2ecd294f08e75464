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
        for index in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: self >> UInt64(60 - 4 * index)) & 0xf
            text[offset + index] = digit < 10 ? 0x30 + digit : 0x57 + digit
        }
    }
}
