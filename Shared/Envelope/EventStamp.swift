/// The position of an event in a broker's stream: gaps in `sequence` within one `epoch` are lost events.
public struct EventStamp: Sendable, Hashable, Codable {
    /// The broker's run.
    public let epoch: UInt64
    /// 1 for the first event of the epoch, without gaps.
    public let sequence: UInt64

    public init(epoch: UInt64, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    /// 16 bytes, big-endian: the first frame of a published event.
    public var encoded: [UInt8] {
        [epoch, sequence].flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }

    public init?(_ frame: [UInt8]) {
        guard frame.count == 16 else { return nil }
        func number(_ range: Range<Int>) -> UInt64 { frame[range].reduce(0) { $0 << 8 | UInt64($1) } }
        let sequence = number(8..<16)
        // No broker reaches this number; beyond it, sums and differences would overflow.
        guard sequence < 1 << 62 else { return nil }
        self.init(epoch: number(0..<8), sequence: sequence)
    }
}
