import BrokerMachine
internal import DequeModule
import Envelope
import Majordomo

/// An event in the ring; the broker's own events are encoded as JSON only when they are read.
enum RingEvent: Sendable {
    case published([UInt8])
    case ledger(LedgerEvent, at: Int64)

    /// The assumed size of a ledger event; encoded as JSON it has 150 to 250 bytes.
    private static let ledgerBytes = 256

    var byteCount: Int {
        switch self {
        case .published(let bytes): bytes.count
        case .ledger: Self.ledgerBytes
        }
    }

    var json: [UInt8] {
        switch self {
        case .published(let bytes): bytes
        case .ledger(let event, let microseconds): event.json(at: microseconds, source: Broker.instance)
        }
    }
}

/// The latest events of the stream, bounded in number and bytes, for subscribers that join late.
struct EventRing: Sendable {
    private let maxEvents: Int
    private let maxBytes: Int
    private let epoch: UInt64
    private var events = Deque<RingEvent>()
    private var byteCount = 0
    private(set) var lastSequence: UInt64 = 0

    init(epoch: UInt64, maxEvents: Int = 10_000, maxBytes: Int = 8 << 20) {
        self.epoch = epoch
        self.maxEvents = maxEvents
        self.maxBytes = maxBytes
    }

    var head: EventStamp { EventStamp(epoch: epoch, sequence: lastSequence) }

    /// Assigns the next sequence number to the event.
    mutating func append(_ event: RingEvent) {
        lastSequence += 1
        events.append(event)
        byteCount += event.byteCount
        while events.count > maxEvents || byteCount > maxBytes, let oldest = events.popFirst() {
            byteCount -= oldest.byteCount
        }
    }

    /// The kept events from `sequence` on: at most `limit` events and `maxBytes` bytes.
    func page(from sequence: UInt64, limit: Int, maxBytes: Int) -> [(EventStamp, [UInt8])] {
        guard !events.isEmpty, sequence <= lastSequence else { return [] }
        let oldest = lastSequence - UInt64(events.count) + 1
        var page: [(EventStamp, [UInt8])] = []
        var bytes = 0
        for next in max(sequence, oldest)...lastSequence {
            let event = events[Int(next - oldest)].json
            bytes += event.count
            guard page.count < limit, bytes <= maxBytes else { break }
            page.append((EventStamp(epoch: epoch, sequence: next), event))
        }
        return page
    }
}
