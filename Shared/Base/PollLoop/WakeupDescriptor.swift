internal import CPollLoop

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The system has no descriptor for the wake-up of a poll loop.
public struct DescriptorError: Error, Sendable {
    public let errno: Int32
}

/// The descriptor by which other threads wake a blocked poll loop.
struct WakeupDescriptor: ~Copyable, Sendable {
    private let readEnd: Int32
    private let writeEnd: Int32

    init() throws(DescriptorError) {
        var ends: [Int32] = [-1, -1]
        guard poll_loop_wakeup_open(&ends) == 0 else { throw DescriptorError(errno: errno) }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        poll_loop_wakeup_close([readEnd, writeEnd])
    }

    /// Readable after a ring until it is cleared.
    var descriptor: Int32 { readEnd }

    func ring() { poll_loop_wakeup_ring(writeEnd) }
    func clear() { poll_loop_wakeup_clear(readEnd) }
}
