/// The circuit breakers of a process, one for each host that it calls.
public actor CircuitBreakers {
    /// A breaker has changed its state.
    public struct Change: Sendable, Hashable {
        /// "www.kobis.or.kr", with the port when the URL names one.
        public let host: String
        public let state: CircuitBreaker.State
        public let failuresInARow: Int
    }

    private let settings: CircuitBreaker.Settings
    private let now: @Sendable () -> ContinuousClock.Instant
    private let onChange: @Sendable (Change) -> Void
    /// How many hosts it knows before it forgets those that are well.
    private let limit: Int
    private var breakers: [String: CircuitBreaker] = [:]

    /// - Parameter onChange: told of each change, in their order.
    public init(
        settings: CircuitBreaker.Settings = .init(), limit: Int = 1000,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        onChange: @escaping @Sendable (Change) -> Void = { _ in }
    ) {
        self.limit = limit
        self.settings = settings
        self.now = now
        self.onChange = onChange
    }

    /// As many breakers of the same settings for other hosts, which tell of their changes in the same way.
    public nonisolated var sibling: CircuitBreakers {
        CircuitBreakers(settings: settings, limit: limit, now: now, onChange: onChange)
    }

    /// The state of every host that was called so far, by host.
    public var states: [Change] {
        breakers.sorted { $0.key < $1.key }
            .map { Change(host: $0.key, state: $0.value.state, failuresInARow: $0.value.failuresInARow) }
    }

    func ask(_ host: String) -> CircuitBreaker.Decision {
        changing(host) { $0.ask(now: now()) }
    }

    func ended(_ permit: CircuitBreaker.Permit, at host: String, _ outcome: CircuitBreaker.Outcome) {
        changing(host) { $0.ended(permit, outcome, now: now()) }
    }

    private func changing<Result>(_ host: String, _ change: (inout CircuitBreaker) -> Result) -> Result {
        if breakers[host] == nil, breakers.count >= limit { breakers = breakers.filter { $0.value.state != .closed } }
        var breaker = breakers[host] ?? CircuitBreaker(settings: settings)
        let before = breaker.state
        let result = change(&breaker)
        breakers[host] = breaker
        if breaker.state != before {
            onChange(Change(host: host, state: breaker.state, failuresInARow: breaker.failuresInARow))
        }
        return result
    }
}
