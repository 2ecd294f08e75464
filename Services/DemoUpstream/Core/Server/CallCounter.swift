/// Counts calls per path since the start or the last reset, for tests.
actor CallCounter {
    private var counts: [String: Int] = [:]

    /// - Parameter path: the path alone. A query holds the key and is never stored.
    func count(_ path: String) {
        counts[path, default: 0] += 1
    }

    func reset() {
        counts = [:]
    }

    /// An object of path and count, by path.
    func body() -> [UInt8] {
        OrderedJSON.object(counts.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) }).bytes
    }
}
