/// How a service gets on with a host that it asks.
public struct UpstreamHealth: Codable, Sendable, Equatable {
    /// Of its circuit breaker; a word of a later release is read as it is.
    public struct State: RawRepresentable, Codable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let closed = State(rawValue: "closed")
        public static let open = State(rawValue: "open")
        public static let halfOpen = State(rawValue: "half_open")
    }

    /// "www.kobis.or.kr", with the port when it is not the usual one.
    public let host: String
    public let state: State
    /// Failed calls since the last that was answered.
    public let failuresInARow: Int

    public init(host: String, state: State, failuresInARow: Int) {
        self.host = host
        self.state = state
        self.failuresInARow = failuresInARow
    }
}
