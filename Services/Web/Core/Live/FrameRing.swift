import DequeModule

/// The last frames of a stream of server-sent events, rendered once for all listeners.
///
/// A pure value. A listener has a cursor and no queue: what the ring no longer has is a gap, which it can report.
struct FrameRing<Topic: Sendable>: Sendable {
    /// A position in the stream, as the field `id` of a frame: "epoch.sequence". The epoch is the ring's own.
    struct Cursor: Sendable, Hashable, LosslessStringConvertible {
        let epoch: UInt64
        /// Of the last frame that has been read; 0 before the first.
        let sequence: UInt64

        init(epoch: UInt64, sequence: UInt64) {
            self.epoch = epoch
            self.sequence = sequence
        }

        init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let epoch = UInt64(parts[0], radix: 16), let sequence = UInt64(parts[1]) else {
                return nil
            }
            self.init(epoch: epoch, sequence: sequence)
        }

        var description: String { "\(String(epoch, radix: 16)).\(sequence)" }
    }

    /// What follows a cursor.
    struct Batch: Sendable {
        var bytes: [UInt8] = []
        var cursor: Cursor
        /// Frames of all topics that the listener has missed for ever; nil when their number is unknown.
        var lost: Int? = 0
    }

    private struct Frame {
        let topic: Topic
        let bytes: [UInt8]
    }

    private let epoch: UInt64
    private let maxFrames: Int
    private let maxBytes: Int
    /// The last of them has the sequence `last`.
    private var frames: Deque<Frame> = []
    private var bytes = 0
    private var last: UInt64 = 0

    /// - Parameter epoch: a number that no earlier ring has used, such as a random one.
    init(epoch: UInt64, maxFrames: Int, maxBytes: Int) {
        self.epoch = epoch
        self.maxFrames = maxFrames
        self.maxBytes = maxBytes
    }

    /// The position of a listener that wants what comes from now on.
    var end: Cursor { Cursor(epoch: epoch, sequence: last) }

    /// - Parameters:
    ///   - event: the name of the event.
    ///   - data: one line.
    mutating func append(_ topic: Topic, event: String, data: [UInt8]) {
        last += 1
        let head = "id: \(end)\nevent: \(event)\ndata: "
        let frame = Frame(topic: topic, bytes: Array(head.utf8) + data + Array("\n\n".utf8))
        frames.append(frame)
        bytes += frame.bytes.count
        while frames.count > maxFrames || bytes > maxBytes, let oldest = frames.popFirst() {
            bytes -= oldest.bytes.count
        }
    }

    /// A frame without a listener: for a cursor before it, it and those before it are lost.
    mutating func skip() {
        last += 1
        frames = []
        bytes = 0
    }

    /// The frames after a cursor, up to a size; nil when nothing follows.
    func frames(after cursor: Cursor, maxBytes: Int, where isWanted: (Topic) -> Bool) -> Batch? {
        guard cursor.epoch == epoch, cursor.sequence <= last else { return Batch(cursor: end, lost: nil) }
        guard cursor.sequence < last else { return nil }
        let first = last - UInt64(frames.count)
        var batch = Batch(cursor: cursor)
        if cursor.sequence < first { batch.lost = Int(first - cursor.sequence) }
        var next = max(cursor.sequence, first)
        for frame in frames[Int(next - first)...] {
            if isWanted(frame.topic) {
                if !batch.bytes.isEmpty, batch.bytes.count + frame.bytes.count > maxBytes { break }
                batch.bytes += frame.bytes
            }
            next += 1
        }
        batch.cursor = Cursor(epoch: epoch, sequence: next)
        return batch
    }
}
