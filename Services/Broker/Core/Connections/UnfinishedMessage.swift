import Majordomo
import MessageBus

/// Detects from periodic checks whether a connection sends a message without an end: libzmq bounds a frame and not a
/// message, and holds the received frames until the last one.
///
/// Bytes that one check has seen and that are not delivered by the next belong to an unfinished message, provided that
/// all complete messages were delivered in between. It begins after the messages that were delivered. A check costs
/// three system calls; between two checks a peer can send without a bound.
struct UnfinishedMessage: Sendable {
    /// More than twice the size of the largest valid message.
    static let limit: Int64 = 8 << 20
    /// The allowance of an idle connection for probes.
    static let probeBytesPerSecond: Int64 = 64

    /// The byte at which it begins, or a later one.
    private var baseline: Int64 = 0
    private var baselineAt: Duration
    private var lastBytes: Int64 = 0
    private var lastDeliveredBytes: Int64 = 0

    /// At least the bytes of a message on the wire: a frame's header has up to 9, its encryption adds 33.
    static func size(of frames: [Frame]) -> Int64 { frames.reduce(0) { $0 + Int64($1.count) + 64 } }

    /// - Parameter now: the time of the connection event, which may be read long after the first bytes arrived.
    init(at now: Duration) {
        baselineAt = now
    }

    /// - Parameters:
    ///   - bytes: read from the connection since it was accepted.
    ///   - deliveredBytes: the sum of `size(of:)` of the messages received over it.
    /// - Returns: true when more than the limit was received by the last check and nothing has been delivered since.
    mutating func isTooLarge(bytes: Int64, deliveredBytes: Int64, at now: Duration) -> Bool {
        defer { (lastBytes, lastDeliveredBytes) = (bytes, deliveredBytes) }
        guard deliveredBytes == lastDeliveredBytes else {
            (baseline, baselineAt) = (min(bytes, lastBytes + (deliveredBytes &- lastDeliveredBytes)), now)
            return false
        }
        let probes = (now - baselineAt).components.seconds * Self.probeBytesPerSecond
        return lastBytes - baseline > Self.limit + probes
    }
}
