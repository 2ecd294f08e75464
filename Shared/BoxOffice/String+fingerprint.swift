extension String {
    /// Eight hexadecimal digits that identify the text: a 32-bit hash (FNV-1a), the same on every machine.
    public var fingerprint: String {
        let hash = utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
