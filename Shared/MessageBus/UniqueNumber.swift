internal import Synchronization

/// Numbers for ids: never twice in one process, and between processes as unlikely to meet as random ones.
///
/// SplitMix64 over a counter that begins at a random number; asking the kernel for each id would be a system call for each.
enum UniqueNumber {
    private static let counter = Atomic<UInt64>(.random(in: 0 ... .max))

    static func next() -> UInt64 {
        var number = counter.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
        number = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ (number >> 27)) &* 0x94d0_49bb_1331_11eb
        number ^= number >> 31
        // 0 stands for "none" in a trace.
        return number == 0 ? next() : number
    }
}
