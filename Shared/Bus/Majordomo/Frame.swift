/// The bytes of one message part.
public typealias Frame = [UInt8]

/// The address of a peer at the broker's ROUTER socket: opaque, and valid only while the connection lasts.
public typealias PeerID = [UInt8]

extension [UInt8] {
    /// UTF-8 text as a frame.
    public init(text: String) {
        self = Array(text.utf8)
    }

    /// The frame as text, with invalid UTF-8 replaced.
    public var text: String {
        String(decoding: self, as: UTF8.self)
    }

    /// A printable string by RFC 7, with the bound of its length byte: 1...255 bytes of UTF-8.
    var isServiceName: Bool { (1...255).contains(count) && isPrintable }

    /// UTF-8 without control characters.
    var isPrintable: Bool {
        var isASCII = true
        for byte in self {
            if byte < 0x20 || byte == 0x7f { return false }
            if byte > 0x7f { isASCII = false }
        }
        return isASCII || String(validating: self, as: UTF8.self) != nil
    }

    mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// The big-endian number at `offset`, which must lie inside.
    func bigEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
        withUnsafeBytes { Number(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }
}
