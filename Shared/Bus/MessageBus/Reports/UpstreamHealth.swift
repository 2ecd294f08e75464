/// The state of a host that a service calls.
public struct UpstreamHealth: Codable, Sendable, Equatable {
    /// The state of its circuit breaker; a value of a later release is kept as it is.
    public struct State: RawRepresentable, Codable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let closed = State(rawValue: "closed")
        public static let open = State(rawValue: "open")
        public static let halfOpen = State(rawValue: "half_open")
    }

    /// "www.kobis.or.kr", with the port when it is not the default one.
    public let host: String
    public let state: State
    /// Failed calls since the last answered call.
    public let failuresInARow: Int

    public init(host: String, state: State, failuresInARow: Int) {
        self.host = host
        self.state = state
        self.failuresInARow = failuresInARow
    }
}
