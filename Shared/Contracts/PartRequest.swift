/// A question for one part of an answer, which the cache knows by a key.
public protocol PartRequest: Codable, Sendable {
    /// What requests of this type are called on the bus.
    static var kinds: [String] { get }
    /// What this one is called, one of `kinds`.
    var kind: String { get }
    var cacheKey: String { get }
    /// Fetch even if a fresh one is stored.
    var isRefresh: Bool { get }
}
