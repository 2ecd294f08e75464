/// A request for one part of an answer, which the cache stores under a key.
public protocol PartRequest: Codable, Sendable {
    /// The name of the service that answers it.
    static var service: String { get }
    /// The kinds of requests of this type on the bus.
    static var kinds: [String] { get }
    /// The kind of this request, one of `kinds`.
    var kind: String { get }
    var cacheKey: String { get }
    /// Fetches the part even if a fresh one is stored.
    var isRefresh: Bool { get }
}
