/// The circuit breakers of a process, one per host.
public actor CircuitBreakers {
    /// A state change of a breaker.
    public struct Change: Sendable, Hashable {
        /// "www.kobis.or.kr", with the port when the URL names one.
        public let host: String
        public let state: CircuitBreaker.State
        public let failuresInARow: Int
    }

    private let settings: CircuitBreaker.Settings
    private let now: @Sendable () -> ContinuousClock.Instant
    private let onChange: @Sendable (Change) -> Void
    /// Number of hosts above which those with a closed breaker are removed.
    private let limit: Int
    private var breakers: [String: CircuitBreaker] = [:]

    /// - Parameter onChange: called for each change, in order.
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

    /// Breakers for other hosts, with the same settings and the same `onChange`.
    public nonisolated var sibling: CircuitBreakers {
        CircuitBreakers(settings: settings, limit: limit, now: now, onChange: onChange)
    }

    /// Whether no host is known to fail.
    public var areClosed: Bool { breakers.values.allSatisfy { $0.state == .closed } }

    /// The states of all known hosts, sorted by host.
    public var states: [Change] {
        breakers.sorted { $0.key < $1.key }
            .map { Change(host: $0.key, state: $0.value.state, failuresInARow: $0.value.failuresInARow) }
    }

    func requestPermit(for host: String) -> CircuitBreaker.Decision {
        update(host) { $0.requestPermit(now: now()) }
    }

    func recordOutcome(_ outcome: CircuitBreaker.Outcome, of permit: CircuitBreaker.Permit, at host: String) {
        update(host) { $0.ended(permit, outcome, now: now()) }
    }

    private func update<Result>(_ host: String, _ change: (inout CircuitBreaker) -> Result) -> Result {
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
