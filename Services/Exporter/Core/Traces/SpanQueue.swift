/// Spans that wait for the receiver, and the next attempt to send some; pure: times are handed in.
///
/// The batch in flight stays at the front until the receiver has taken it. While the receiver is away the queue keeps the
/// newest spans.
struct SpanQueue {
    static let capacity = 8192
    static let batchSize = 512

    private var spans: [Span] = []
    private var batchCount = 0
    private var pause: Duration?
    /// The time before which nothing is sent.
    private(set) var resumesAt: ContinuousClock.Instant?
    private(set) var sent = 0
    /// Since the queue was full.
    private(set) var dropped = 0
    /// By the receiver, for good.
    private(set) var refused = 0

    var count: Int { spans.count }
    /// Whether the last attempt failed.
    var isBackingOff: Bool { pause != nil }

    mutating func add(_ span: Span) {
        spans.append(span)
        // In steps, so that a full queue does not move all of its spans for each new one.
        guard spans.count > Self.capacity + Self.batchSize else { return }
        let excess = spans.count - Self.capacity
        spans.removeSubrange(batchCount..<(batchCount + excess))
        dropped += excess
    }

    /// The spans to send now; nil when there are none, or the receiver is to be left alone.
    mutating func nextBatch(now: ContinuousClock.Instant) -> [Span]? {
        guard batchCount == 0, !spans.isEmpty, resumesAt.map({ $0 <= now }) ?? true else { return nil }
        batchCount = min(Self.batchSize, spans.count)
        return Array(spans.prefix(batchCount))
    }

    /// The receiver has taken the batch, except for some spans that it never takes.
    mutating func succeed(refusing count: Int = 0) {
        let refused = min(max(0, count), batchCount)
        sent += batchCount - refused
        self.refused += refused
        removeBatch()
        (pause, resumesAt) = (nil, nil)
    }

    /// The receiver takes none of the batch, now or later.
    mutating func refuse() {
        succeed(refusing: batchCount)
    }

    /// No receiver answered, or it asked for a later attempt: the batch stays.
    ///
    /// - Parameter retryAfter: the time that the receiver asked for.
    mutating func fail(now: ContinuousClock.Instant, retryAfter: Duration? = nil) {
        batchCount = 0
        let next = pause.map { min($0 * 2, ExporterTiming.longestPause) } ?? ExporterTiming.firstPause
        pause = next
        resumesAt = now + min(max(next, retryAfter ?? .zero), ExporterTiming.longestPause)
    }

    private mutating func removeBatch() {
        spans.removeFirst(batchCount)
        batchCount = 0
    }
}
