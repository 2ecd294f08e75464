internal import Synchronization

/// Numbers for ids: unique within a process; collisions between processes are as unlikely as for random numbers.
///
/// SplitMix64 over a counter that starts at a random number. This avoids a system call for each id.
enum UniqueNumber {
    private static let counter = Atomic<UInt64>(.random(in: 0 ... .max))

    static func next() -> UInt64 {
        var number = counter.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
        number = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ (number >> 27)) &* 0x94d0_49bb_1331_11eb
        number ^= number >> 31
        // 0 means "none" in a trace.
        return number == 0 ? next() : number
    }
}
