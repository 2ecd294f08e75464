extension [UInt8] {
    mutating func append(ascii text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends decimal digits.
    mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        // From the first digit on, so that no digits need to be reversed.
        var unit: UInt64 = 1
        while number.magnitude / unit >= 10 { unit *= 10 }
        while unit > 0 {
            append(0x30 + UInt8(number.magnitude / unit % 10))
            unit /= 10
        }
    }
}
