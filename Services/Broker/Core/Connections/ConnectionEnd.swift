import Contracts
import Envelope

/// Why the broker ended connections, and their owner.
struct ConnectionEnd: Sendable, Hashable {
    /// The raw value is the word in events and counters.
    enum Reason: String, Sendable, CaseIterable {
        /// Half of the process's descriptors were in use.
        case tooMany = "too_many"
        /// A message grew beyond its bound without an end.
        case unfinishedMessage = "unfinished_message"
        /// The peer does not read the replies to its requests.
        case unread
        /// The peer's key is no longer listed.
        case keyRemoved = "key_removed"
    }

    let reason: Reason
    /// A key, an address, or a process of this machine.
    let owner: String

    func event(count: Int, at microseconds: Int64, source: String) -> Event {
        Event(
            at: microseconds, kind: EventKind.connectionsEnded, source: source,
            attributes: ["reason": .text(reason.rawValue), "owner": .text(owner), "count": .number(count)])
    }
}
