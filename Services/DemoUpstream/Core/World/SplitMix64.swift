/// A seeded source of pseudo-random numbers, the only one in the demo's world.
///
/// The standard library's `random(in:using:)` is avoided on purpose: how it turns bits into numbers is not promised to
/// stay the same, and a demo seed must mean the same films after the next toolchain. Algorithm: Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators" (the public-domain splitmix64).
struct SplitMix64: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A generator of its own for each combination: the numbers of one film do not move when another film draws more.
    init(seed: UInt64, _ first: Int, _ second: Int = 0, _ third: Int = 0) {
        state = seed
        state = next() ^ UInt64(bitPattern: Int64(first))
        state = next() ^ UInt64(bitPattern: Int64(second))
        state = next() ^ UInt64(bitPattern: Int64(third))
        state = next()
    }

    /// A generator of its own for each text, such as a film code (FNV-1a, since `Hasher` is seeded anew per process).
    init(seed: UInt64, text: String) {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        self.init(seed: seed, Int(truncatingIfNeeded: hash))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, 1.
    mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    mutating func number(in range: ClosedRange<Int>) -> Int {
        let width = UInt64(range.upperBound - range.lowerBound + 1)
        return range.lowerBound + Int(next().multipliedFullWidth(by: width).high)
    }

    mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    mutating func happens(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// One of the elements; the list must not be empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(in: 0...(elements.count - 1))]
    }

    /// As many different elements as asked for, or all there are, in the order of the list.
    mutating func pick<Element>(_ count: Int, of elements: [Element]) -> [Element] {
        var chosen: [Element] = []
        for (index, element) in elements.enumerated() where chosen.count < count {
            let missing = count - chosen.count
            if number(in: 1...(elements.count - index)) <= missing { chosen.append(element) }
        }
        return chosen
    }
}
