internal import CZeroMQ

/// The descriptor by which other threads wake a blocked poll loop.
struct WakeupDescriptor: ~Copyable, Sendable {
    private let readEnd: Int32
    private let writeEnd: Int32

    init() throws(ZeroMQError) {
        var ends: [Int32] = [-1, -1]
        guard czmq_wakeup_open(&ends) == 0 else { throw .last("open a wake-up descriptor") }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        czmq_wakeup_close([readEnd, writeEnd])
    }

    /// Readable after a ring until it is cleared.
    var descriptor: Int32 { readEnd }

    func ring() { czmq_wakeup_ring(writeEnd) }
    func clear() { czmq_wakeup_clear(readEnd) }
}
