package import MessageBus

/// The client address in a worker's request, which the worker echoes: it identifies the dispatch of an entry.
///
/// 17 bytes: the broker's epoch, the ledger's entry, the attempt. Every RFC worker echoes it without reading it.
public struct Ticket: Hashable, Sendable {
    private static let size = 17

    package var epoch: UInt64
    package var entry: UInt64
    package var attempt: UInt8

    package init(epoch: UInt64, entry: UInt64, attempt: UInt8) {
        self.epoch = epoch
        self.entry = entry
        self.attempt = attempt
    }

    package init?(_ frame: Frame) {
        guard frame.count == Self.size else { return nil }
        epoch = frame.bigEndian(UInt64.self, at: 0)
        entry = frame.bigEndian(UInt64.self, at: 8)
        attempt = frame[16]
    }

    /// Passes on the encoded bytes, which are on the stack.
    func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { bytes in
            bytes.storeBytes(of: epoch.bigEndian, toByteOffset: 0, as: UInt64.self)
            bytes.storeBytes(of: entry.bigEndian, toByteOffset: 8, as: UInt64.self)
            bytes[16] = attempt
            body(UnsafeRawBufferPointer(bytes))
        }
    }
}
