import Envelope
import Majordomo
import MessageBus
import ZeroMQ

/// The stream's way out: every event gets its place in the ring, and goes to the subscribers in batches.
///
/// A message is the stamp of its first event and the events, which follow each other without a gap. Nothing is written or
/// sent while nobody listens, nor for those who have subscribed and then stand still (see `BusTiming.subscriberLease`); whoever
/// comes later, or back, finds in the ring what he missed.
struct EventPublisher {
    /// Events a message; a subscriber's pipe holds that many times its high-water mark.
    static let batch = 32
    /// Bytes after which no event is added to a message.
    private static let batchBytes = 64 << 10

    private let socket: Socket
    private(set) var ring: EventRing
    private var subscribers = 0
    private var listeningUntil: Duration = .zero
    private var unsent: [[UInt8]] = []
    private var unsentBytes = 0

    init(ring: EventRing, socket: Socket) {
        self.ring = ring
        self.socket = socket
    }

    /// A subscription began or ended (its first byte says which).
    ///
    /// - Returns: true when it began.
    mutating func subscriptionChanged(_ message: Message, at now: Duration) -> Bool {
        guard let sign = message.first?.first else { return false }
        subscribers = max(0, subscribers + (sign == 1 ? 1 : -1))
        if sign == 1 { heardOfListener(at: now) }
        return sign == 1
    }

    /// Somebody has subscribed or asked for past events: it is there, and reads.
    mutating func heardOfListener(at now: Duration) {
        listeningUntil = now + BusTiming.subscriberLease
    }

    mutating func append(_ event: RingEvent, at now: Duration) {
        let isListenedTo = subscribers > 0 && now < listeningUntil
        // What waits would no longer be the newest of the ring.
        if !isListenedTo { flush() }
        ring.append(event)
        guard isListenedTo else { return }
        let json = event.json
        unsent.append(json)
        unsentBytes += json.count
        if unsent.count == Self.batch || unsentBytes >= Self.batchBytes { flush() }
    }

    /// Sends what waits. Never blocks: what a slow subscriber's pipe cannot take is lost for that one, and it sees the gap.
    mutating func flush() {
        guard !unsent.isEmpty else { return }
        let first = ring.lastSequence - UInt64(unsent.count) + 1
        let stamp = EventStamp(epoch: ring.head.epoch, sequence: first)
        // A closed socket is the broker's own end.
        _ = try? socket.assumeIsolated { try $0.sendIfReady([stamp.encoded] + unsent) }
        unsent.removeAll(keepingCapacity: true)
        unsentBytes = 0
    }
}
