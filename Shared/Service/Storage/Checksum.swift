/// A 64-bit checksum that is the same in every process and on every machine; it detects changes by a disk.
///
/// It does not protect against a program that changes the file on purpose. Each part is added with its length, so that
/// bytes that move from one part to the next are detected.
public struct Checksum {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    public init() {}

    /// Signed, as SQLite stores integers.
    public var value: Int64 { Int64(bitPattern: Self.mixed(state)) }

    public mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

    public mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    public mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }

    /// Nil differs from every number.
    public mutating func add(_ number: Double?) {
        add(number == nil ? 0 : 1 as UInt64)
        add(number?.bitPattern ?? 0)
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(UInt64(bytes.count))
        var offset = 0
        // Eight bytes at a time: a value of 6 KB takes a microsecond.
        while offset + 8 <= bytes.count {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        add(bytes[offset...].reduce(0) { $0 << 8 | UInt64($1) })
    }

    private mutating func add(_ word: UInt64) {
        state = (state ^ Self.mixed(word)) &* 0xFF51_AFD7_ED55_8CCD
        state = state << 29 | state >> 35
    }

    /// The finalizer of SplitMix64: every bit of the word changes half of the result's.
    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = word
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
