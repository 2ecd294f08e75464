/// The most recent short frames. Most messages repeat addresses, protocol headers, commands and service names, and a
/// repeated frame is shared instead of allocated again.
struct RecentFrames {
    private static let longest = 16
    private static let slotCount = 64

    private var slots = [[UInt8]](repeating: [], count: slotCount)

    /// The bytes as an array, shared with an earlier equal frame if there is one.
    mutating func frame(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        guard let first = bytes.first, let last = bytes.last else { return [] }
        guard bytes.count <= Self.longest else { return [UInt8](bytes) }
        // The headers of Majordomo differ in a byte in the middle.
        let middle = Int(bytes[bytes.count / 2])
        let slot = (bytes.count &* 37 &+ Int(first) &* 5 &+ middle &* 3 &+ Int(last)) & (Self.slotCount - 1)
        if slots[slot].elementsEqual(bytes) { return slots[slot] }
        slots[slot] = [UInt8](bytes)
        return slots[slot]
    }
}
