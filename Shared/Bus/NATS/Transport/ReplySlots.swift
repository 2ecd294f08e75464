internal import MessageBus

/// The subjects for the answers of open requests: one for each, since the server's "no responders" names no request.
///
/// A subject is used again only when everything that was expected on it has arrived: what comes late would else count
/// for a later request. It is used for one service only, since who has answered once may do so again.
struct ReplySlots {
    struct Slot {
        let service: String
        let subject: String
        let subscription: UInt64
        /// Nil while it is free.
        var request: RequestID?
        /// Answers, refusals and reports of missing responders that have not arrived.
        var expected = 0
    }

    private static let maxFree = 64

    private var slots: [Int: Slot] = [:]
    /// By service.
    private var free: [String: [Int]] = [:]
    private var lastNumber = 0

    subscript(_ number: Int) -> Slot? { slots[number] }

    /// Takes a free slot, or makes one.
    mutating func take(
        for request: RequestID, of service: String,
        make: (_ number: Int) throws(NATSError) -> (subject: String, subscription: UInt64)
    ) throws(NATSError) -> Int {
        if let number = free[service]?.popLast() {
            slots[number]?.request = request
            return number
        }
        lastNumber += 1
        let made = try make(lastNumber)
        slots[lastNumber] = Slot(
            service: service, subject: made.subject, subscription: made.subscription, request: request)
        return lastNumber
    }

    mutating func sent(over number: Int) {
        slots[number]?.expected += 1
    }

    mutating func arrived(over number: Int) {
        slots[number]?.expected -= 1
    }

    /// Nothing that was sent before is answered any more: the connection is lost.
    mutating func expectNothing() {
        for number in slots.keys { slots[number]?.expected = 0 }
    }

    /// Frees the slot of an ended request.
    ///
    /// - Returns: a subscription to end, when the slot cannot be used again.
    mutating func release(_ number: Int) -> UInt64? {
        guard let slot = slots[number] else { return nil }
        guard slot.expected == 0, free[slot.service, default: []].count < Self.maxFree else {
            slots[number] = nil
            return slot.subscription
        }
        slots[number]?.request = nil
        free[slot.service, default: []].append(number)
        return nil
    }
}
