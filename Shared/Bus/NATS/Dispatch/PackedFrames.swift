internal import MessageBus

/// The frames of one of our messages in the single payload that a message of NATS has.
///
/// The number of frames (2 bytes), the length of each (4 bytes), then the frames; numbers are big-endian.
enum PackedFrames {
    /// More than the envelope of any answer has.
    static let maxFrames = 4096

    /// - Precondition: at most `maxFrames` frames of less than 4 GiB each.
    static func pack(_ frames: some Collection<Frame>) -> [UInt8] {
        precondition(frames.count <= maxFrames)
        var packed: [UInt8] = []
        packed.reserveCapacity(2 + frames.reduce(0) { $0 + 4 + $1.count })
        append(UInt16(frames.count), to: &packed)
        for frame in frames { append(UInt32(frame.count), to: &packed) }
        for frame in frames { packed += frame }
        return packed
    }

    /// The frames of a payload; nil when it is not one of ours, or has more or fewer bytes than its table says.
    static func unpack(_ bytes: [UInt8]) -> [Frame]? {
        guard bytes.count >= 2 else { return nil }
        let count = Int(bytes[0]) << 8 | Int(bytes[1])
        guard count <= maxFrames, bytes.count >= 2 + 4 * count else { return nil }
        var frames: [Frame] = []
        frames.reserveCapacity(count)
        var start = 2 + 4 * count
        for entry in stride(from: 2, to: 2 + 4 * count, by: 4) {
            let length = bytes[entry..<entry + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - start else { return nil }
            frames.append(Frame(bytes[start..<start + length]))
            start += length
        }
        return start == bytes.count ? frames : nil
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }
}

extension ControlFrame.Flags {
    /// The instance works on the request; the next and last frame is its name.
    static let working = ControlFrame.Flags(rawValue: 4)
    /// The caller no longer waits for the answer.
    static let cancelled = ControlFrame.Flags(rawValue: 8)
}
