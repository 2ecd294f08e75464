/// Future events, ordered by virtual time; events at the same time keep the order in which they were planned.
struct EventQueue<Event> {
    /// Small and free of references: the heap moves keys, not events.
    private struct Key {
        let time: Duration
        let number: UInt64
        let slot: Int

        static func < (left: Key, right: Key) -> Bool {
            left.time == right.time ? left.number < right.number : left.time < right.time
        }
    }

    private var heap: [Key] = []
    private var slots: [Event?] = []
    private var free: [Int] = []
    private var lastNumber: UInt64 = 0

    mutating func insert(_ event: Event, at time: Duration) {
        lastNumber += 1
        let slot = free.popLast() ?? slots.count
        if slot == slots.count { slots.append(event) } else { slots[slot] = event }
        heap.append(Key(time: time, number: lastNumber, slot: slot))
        rise(heap.count - 1)
    }

    mutating func popFirst() -> (time: Duration, event: Event)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        guard let event = slots[first.slot] else { return nil }
        slots[first.slot] = nil
        free.append(first.slot)
        return (first.time, event)
    }

    private mutating func rise(_ start: Int) {
        var index = start
        let key = heap[index]
        while index > 0 {
            let parent = (index - 1) / 2
            guard key < heap[parent] else { break }
            heap[index] = heap[parent]
            index = parent
        }
        heap[index] = key
    }

    private mutating func sink() {
        var index = 0
        let key = heap[0]
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < key else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = key
    }
}
