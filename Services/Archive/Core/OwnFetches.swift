import Domain

/// The puts that follow the archive's own fetches. Their answers arrive anyway, so they are not looked up in the cache.
///
/// The event of a put arrives before the answer or after it, and can be lost.
actor OwnFetches {
    private var running: [ChartSelection: Int] = [:]
    /// Fetches whose put was seen before their answer.
    private var seen: Set<ChartSelection> = []
    /// Puts that are still to be seen.
    private var expected: [ChartSelection: Int] = [:]

    func begin(_ selection: ChartSelection) { running[selection, default: 0] += 1 }

    /// - Parameter hasStored: whether the fetcher has put the answer into the cache.
    /// - Returns: whether a put was seen meanwhile.
    func end(_ selection: ChartSelection, hasStored: Bool) -> Bool {
        running[selection] = running[selection].flatMap { $0 > 1 ? $0 - 1 : nil }
        let wasSeen = seen.remove(selection) != nil
        if hasStored, !wasSeen { expected[selection, default: 0] += 1 }
        return wasSeen
    }

    /// Whether a put is that of an own fetch.
    func explains(_ selection: ChartSelection) -> Bool {
        if let count = expected[selection] {
            expected[selection] = count > 1 ? count - 1 : nil
            return true
        }
        guard running[selection] != nil else { return false }
        seen.insert(selection)
        return true
    }

    /// Events were lost, and all charts are looked at.
    func forgetPuts() {
        expected = [:]
        seen = []
    }
}
