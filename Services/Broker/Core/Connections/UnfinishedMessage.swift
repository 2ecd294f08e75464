/// Tells from looks at a connection whether it sends a message without an end: libzmq bounds a frame and not a message, and
/// holds what has come of it until its last frame.
///
/// What had come by one look and is not delivered by the next is unfinished, provided that everything whole was delivered
/// in between. A look costs three system calls; between two looks a peer can send as much as the machine takes.
struct UnfinishedMessage: Sendable {
    /// More than a message of ours can have, twice over.
    static let limit: Int64 = 8 << 20
    /// What a quiet connection may take for probes, however old it is.
    static let probeBytesPerSecond: Int64 = 64

    /// The bytes that had come at the last delivery.
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
    ///   - deliveries: messages that have come over it.
    /// - Returns: true when more than the limit had come by the last look and nothing has been delivered since.
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
