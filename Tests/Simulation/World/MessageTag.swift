import Majordomo

/// The last frame of every request in the simulated world: which message of which caller it is.
struct MessageTag: Equatable {
    let number: Int

    init(number: Int) { self.number = number }

    init?(_ frame: Frame?) {
        guard let frame, frame.count == 5, frame[0] == 0x23 else { return nil }
        number = frame.dropFirst().reduce(0) { $0 << 8 | Int($1) }
    }

    var encoded: Frame { [0x23] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
}
