/// The bytes of one message part.
public typealias Frame = [UInt8]

extension [UInt8] {
    /// UTF-8 text as a frame.
    public init(text: String) {
        self = Array(text.utf8)
    }

    /// The frame as text, with invalid UTF-8 replaced.
    public var text: String {
        String(decoding: self, as: UTF8.self)
    }

    /// UTF-8 without control characters.
    package var isPrintable: Bool {
        var isASCII = true
        for byte in self {
            if byte < 0x20 || byte == 0x7f { return false }
            if byte > 0x7f { isASCII = false }
        }
        return isASCII || String(validating: self, as: UTF8.self) != nil
    }

    package mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// The big-endian number at `offset`, which must lie inside.
    package func bigEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
        withUnsafeBytes { Number(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }
}
