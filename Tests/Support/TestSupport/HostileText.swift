/// Texts of the characters that break formats, the same ones in each run.
public struct HostileText: Sequence, IteratorProtocol {
    private static let scalars: [UInt32] =
        Array(0...0x20) + Array(0x7E...0xA0) + [
            0x61C, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069,
            0xFDD0, 0xFDEF, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF, 0xAC00, 0x1F3A4, 0x301, 0x5D0,
        ] + Array("<>&\"'\\,;=+-@]]>".unicodeScalars.map(\.value))

    private var state: UInt64
    private var left: Int

    public init(seed: UInt64 = 1, count: Int) {
        (state, left) = (seed, count)
    }

    public mutating func next() -> String? {
        guard left > 0 else { return nil }
        left -= 1
        var text = ""
        for _ in 0...(number() % 12) {
            let value = Self.scalars[number() % Self.scalars.count]
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    /// A linear congruential generator (Knuth's MMIX), of which the high bits are good.
    private mutating func number() -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33)
    }
}
