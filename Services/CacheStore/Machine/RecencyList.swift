/// A dictionary ordered by the last use of its keys; every operation takes constant time.
///
/// The slots are dense and linked by index: a removal moves the last slot into the gap, so no slot is ever vacant and
/// a removed value's memory is freed at once.
///
/// The operations of each cache access are inlinable: unspecialized code takes three times as long. The type is public
/// for this, since Swift 6.3 does not inline declarations of package access.
public struct RecencyList<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    struct Slot: Sendable {
        @usableFromInline var key: Key
        @usableFromInline var value: Value
        @usableFromInline var older: Int?
        @usableFromInline var newer: Int?

        @inlinable
        init(key: Key, value: Value) {
            self.key = key
            self.value = value
        }
    }

    @usableFromInline var slots: [Slot] = []
    @usableFromInline var indices: [Key: Int] = [:]
    @usableFromInline var oldestIndex: Int?
    @usableFromInline var newestIndex: Int?

    public init() {}

    @inlinable public var count: Int { slots.count }
    @inlinable public var isEmpty: Bool { slots.isEmpty }

    /// The entry used longest ago.
    @inlinable public var oldest: (key: Key, value: Value)? {
        oldestIndex.map { (slots[$0].key, slots[$0].value) }
    }

    /// The keys in the order of their last use, the oldest first; linear.
    public var keysFromOldest: [Key] {
        sequence(state: oldestIndex) { index -> Key? in
            guard let current = index else { return nil }
            index = slots[current].newer
            return slots[current].key
        }.map { $0 }
    }

    /// The value; this does not count as a use.
    @inlinable
    public func peek(_ key: Key) -> Value? {
        indices[key].map { slots[$0].value }
    }

    /// Returns the value and makes the key the newest.
    @inlinable
    public mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        makeNewest(index)
        return slots[index].value
    }

    /// Sets the value and makes the key the newest; returns the previous value.
    @discardableResult
    @inlinable
    public mutating func set(_ value: Value, for key: Key) -> Value? {
        guard let index = indices[key] else {
            slots.append(Slot(key: key, value: value))
            indices[key] = slots.count - 1
            linkAsNewest(slots.count - 1)
            return nil
        }
        let before = slots[index].value
        slots[index].value = value
        makeNewest(index)
        return before
    }

    /// Changes a value in place without changing the order; `nil` without such a key.
    @discardableResult
    public mutating func change<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        guard let index = indices[key] else { return nil }
        return body(&slots[index].value)
    }

    @discardableResult
    @inlinable
    public mutating func remove(_ key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key) else { return nil }
        unlink(index)
        let removed = slots[index].value
        moveLastSlot(to: index)
        return removed
    }

    @inlinable
    mutating func moveLastSlot(to gap: Int) {
        let last = slots.removeLast()
        // The removed slot was itself the last one.
        guard gap < slots.count else { return }
        slots[gap] = last
        indices[last.key] = gap
        if let older = last.older { slots[older].newer = gap } else { oldestIndex = gap }
        if let newer = last.newer { slots[newer].older = gap } else { newestIndex = gap }
    }

    @inlinable
    mutating func makeNewest(_ index: Int) {
        guard index != newestIndex else { return }
        unlink(index)
        linkAsNewest(index)
    }

    @inlinable
    mutating func unlink(_ index: Int) {
        let (older, newer) = (slots[index].older, slots[index].newer)
        if let older { slots[older].newer = newer } else { oldestIndex = newer }
        if let newer { slots[newer].older = older } else { newestIndex = older }
    }

    @inlinable
    mutating func linkAsNewest(_ index: Int) {
        slots[index].older = newestIndex
        slots[index].newer = nil
        if let newestIndex { slots[newestIndex].newer = index } else { oldestIndex = index }
        newestIndex = index
    }
}
