/// The bytes of one message part.
public typealias Frame = [UInt8]

/// The address of a peer as the broker's ROUTER socket tells it: opaque, and good only while the connection lasts.
public typealias PeerID = [UInt8]

extension [UInt8] {
    /// UTF-8 text as a frame.
    public init(text: String) {
        self = Array(text.utf8)
    }

    /// The frame as text, with what is no UTF-8 replaced.
    public var text: String {
        String(decoding: self, as: UTF8.self)
    }

    mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// The big-endian number at `offset`, which must lie inside.
    func bigEndian<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
        self[offset..<offset + MemoryLayout<Number>.size].reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }
}
