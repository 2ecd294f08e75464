/// Detects from periodic checks whether a connection sends a message without an end: libzmq bounds a frame and not a
/// message, and holds the received frames until the last one.
///
/// Bytes that one check has seen and that are not delivered by the next belong to an unfinished message, provided that
/// all complete messages were delivered in between. A check costs three system calls; between two checks a peer can
/// send without a bound.
struct UnfinishedMessage: Sendable {
    /// More than twice the size of the largest valid message.
    static let limit: Int64 = 8 << 20
    /// The allowance of an idle connection for probes.
    static let probeBytesPerSecond: Int64 = 64

    /// The bytes received by the last delivery.
    private var baseline: Int64
    private var baselineAt: Duration
    private var lastBytes: Int64
    private var lastDeliveries: UInt64 = 0

    init(bytes: Int64, at now: Duration) {
        baseline = bytes
        baselineAt = now
        lastBytes = bytes
    }

    /// - Parameters:
    ///   - bytes: read from the connection since it was accepted.
    ///   - deliveries: messages received over it.
    /// - Returns: true when more than the limit was received by the last check and nothing has been delivered since.
    mutating func isTooLarge(bytes: Int64, deliveries: UInt64, at now: Duration) -> Bool {
        defer { (lastBytes, lastDeliveries) = (bytes, deliveries) }
        guard deliveries == lastDeliveries else {
            (baseline, baselineAt) = (lastBytes, now)
            return false
        }
        let probes = (now - baselineAt).components.seconds * Self.probeBytesPerSecond
        return lastBytes - baseline > Self.limit + probes
    }
}
