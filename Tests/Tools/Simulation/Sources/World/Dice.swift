/// SplitMix64: the same seed gives the same run.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// A number from 0 to `bound - 1`.
    mutating func number(below bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + number(below: range.count) }

    mutating func hits(oneIn count: Int) -> Bool { number(below: count) == 0 }

    mutating func microseconds(_ range: ClosedRange<Int>) -> Duration { .microseconds(number(range)) }

    mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        microseconds(range.lowerBound * 1000...range.upperBound * 1000)
    }

    mutating func pick<Item>(_ items: [Item]) -> Item? {
        items.isEmpty ? nil : items[number(below: items.count)]
    }
}
