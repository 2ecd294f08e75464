internal import Majordomo

extension Dictionary {
    /// Changes a value in place, if there is one.
    ///
    /// `self[key]?.member = …` allocates three times: its access is a coroutine.
    @inline(__always)
    mutating func modify(_ key: Key, _ change: (inout Value) -> Void) {
        guard let index = index(forKey: key) else { return }
        change(&values[index])
    }
}

extension Dictionary where Value == Int {
    mutating func increment(_ key: Key) {
        if let index = index(forKey: key) { values[index] += 1 } else { self[key] = 1 }
    }
}
