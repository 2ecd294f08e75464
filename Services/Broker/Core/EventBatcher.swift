import Envelope
import Majordomo
import MessageBus
import ZeroMQ

/// Publishes the event stream: appends every event to the ring, and sends it to the subscribers in batches.
///
/// A message consists of the stamp of its first event and of consecutive events. Nothing is encoded or sent while there
/// is no subscriber, or while all subscribers are suspended (see `SubscriptionTiming.lease`); a subscriber that joins
/// or resumes later reads the missed events from the ring.
struct EventBatcher {
    /// Events per message; a subscriber's pipe holds that many times its high-water mark.
    static let batch = 32
    /// Bytes beyond which no event is added to a message.
    private static let batchBytes = 64 << 10

    private let socket: Socket
    private(set) var ring: EventRing
    private var subscribers = 0
    private var leaseEnd: Duration = .zero
    private var unsent: [[UInt8]] = []
    private var unsentBytes = 0

    init(ring: EventRing, socket: Socket) {
        self.ring = ring
        self.socket = socket
    }

    /// Applies the beginning or end of a subscription; the message's first byte states which.
    ///
    /// - Returns: true at a beginning.
    mutating func applySubscription(_ message: Message, at now: Duration) -> Bool {
        guard let sign = message.first?.first else { return false }
        subscribers = max(0, subscribers + (sign == 1 ? 1 : -1))
        if sign == 1 { renewSubscriberLease(at: now) }
        return sign == 1
    }

    /// Called when a client subscribes or asks for the newest event, which shows that a subscriber is active.
    mutating func renewSubscriberLease(at now: Duration) {
        leaseEnd = now + SubscriptionTiming.lease
    }

    mutating func append(_ event: RingEvent, at now: Duration) {
        let hasActiveSubscriber = subscribers > 0 && now < leaseEnd
        // `flush` requires that the unsent events are the newest of the ring.
        if !hasActiveSubscriber { flush() }
        ring.append(event)
        guard hasActiveSubscriber else { return }
        let json = event.json
        unsent.append(json)
        unsentBytes += json.count
        if unsent.count == Self.batch || unsentBytes >= Self.batchBytes { flush() }
    }

    /// Sends the unsent events. Never blocks: if a slow subscriber's pipe is full, that subscriber loses them and sees
    /// the gap.
    mutating func flush() {
        guard !unsent.isEmpty else { return }
        let first = ring.lastSequence - UInt64(unsent.count) + 1
        let stamp = EventStamp(epoch: ring.head.epoch, sequence: first)
        // The socket is closed only when the broker itself ends.
        _ = try? socket.assumeIsolated { try $0.sendIfReady([stamp.encoded] + unsent) }
        unsent.removeAll(keepingCapacity: true)
        unsentBytes = 0
    }
}
