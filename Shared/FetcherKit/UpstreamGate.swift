internal import Envelope
internal import MessageBus
public import ServiceKit
public import Upstream

/// The way of a fetcher's requests to its upstream: what the process has learned of the hosts stands before it.
public struct UpstreamGate: Sendable {
    private let transport: any UpstreamTransport
    private let breakers: CircuitBreakers

    public init(_ transport: any UpstreamTransport, breakers: CircuitBreakers = CircuitBreakers()) {
        self.transport = transport
        self.breakers = breakers
    }

    /// The transport of one answer, whose attempts the meter counts.
    func transport(meter: UpstreamMeter) -> any UpstreamTransport {
        GuardedTransport(MeteredTransport(transport, meter: meter), breakers: breakers)
    }

    /// How the hosts are, for the service's stats.
    @Sendable public func health() async -> [UpstreamHealth] {
        await breakers.states.map(UpstreamHealth.init)
    }
}

extension UpstreamHealth {
    init(_ change: CircuitBreakers.Change) {
        self.init(host: change.host, state: State(change.state), failuresInARow: change.failuresInARow)
    }
}

extension UpstreamHealth.State {
    init(_ state: CircuitBreaker.State) {
        switch state {
        case .closed: self = .closed
        case .open: self = .open
        case .halfOpen: self = .halfOpen
        }
    }
}

extension Event {
    /// A host's circuit breaker has changed.
    init(_ change: CircuitBreakers.Change, source: String, clock: WallClock) {
        let health = UpstreamHealth(change)
        self.init(
            at: clock.microseconds, kind: "breaker.\(health.state.rawValue)", source: source,
            facts: ["host": .text(health.host), "failuresInARow": .number(health.failuresInARow)])
    }
}
