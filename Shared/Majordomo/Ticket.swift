/// The client address in a worker's request, which the worker echoes: it identifies the dispatch of an entry.
///
/// 17 bytes: the broker's epoch, the ledger's entry, the attempt. Every RFC worker echoes it without reading it.
struct Ticket: Hashable, Sendable {
    var epoch: UInt64
    var entry: UInt64
    var attempt: UInt8

    init(epoch: UInt64, entry: UInt64, attempt: UInt8) {
        self.epoch = epoch
        self.entry = entry
        self.attempt = attempt
    }

    init?(_ frame: Frame) {
        guard frame.count == 17 else { return nil }
        epoch = frame.bigEndian(UInt64.self, at: 0)
        entry = frame.bigEndian(UInt64.self, at: 8)
        attempt = frame[16]
    }

    var encoded: Frame {
        var bytes = Frame()
        bytes.reserveCapacity(17)
        bytes.append(bigEndian: epoch)
        bytes.append(bigEndian: entry)
        bytes.append(attempt)
        return bytes
    }
}
