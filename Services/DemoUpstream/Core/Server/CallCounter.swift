/// Counts calls per path since the start or the last reset, so that a test can tell how often an upstream was asked.
actor CallCounter {
    private var counts: [String: Int] = [:]

    /// - Parameter path: the path alone. A query holds the key and is never kept.
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
