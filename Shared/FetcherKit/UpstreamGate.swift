internal import Contracts
internal import Envelope
public import Logging
public import MessageBus
internal import ProcessKit
public import Upstream

/// The way of a fetcher's requests to its upstream: circuit breakers and the count of calls stand before it.
public struct UpstreamGate: Sendable {
    private let transport: any UpstreamTransport
    private let breakers: CircuitBreakers
    /// Of hosts that are no upstream's.
    private let others: CircuitBreakers
    private let quota: QuotaClient?
    private let slots: AsyncSemaphore?
    private let retry: UpstreamRetry

    /// - Parameter concurrency: fetches at a time.
    public init(
        _ transport: any UpstreamTransport, account: UpstreamAccount, bus: MessageBus, logger: Logger,
        breakers: CircuitBreakers = CircuitBreakers(), retry: UpstreamRetry, concurrency: Int
    ) {
        self.retry = retry
        self.transport = transport
        slots = AsyncSemaphore(concurrency)
        self.breakers = breakers
        others = breakers.sibling
        quota = QuotaClient(bus: bus, account: account, logger: logger)
    }

    private init(uncounted transport: any UpstreamTransport, breakers: CircuitBreakers, retry: UpstreamRetry) {
        self.retry = retry
        self.transport = transport
        self.breakers = breakers
        others = breakers
        quota = nil
        slots = nil
    }

    /// The way to hosts that give nobody a quota, and that are not one another's burden.
    public func uncounted(over transport: any UpstreamTransport) -> UpstreamGate {
        UpstreamGate(uncounted: transport, breakers: others, retry: retry)
    }

    /// Runs a fetch over a transport whose attempts are counted.
    ///
    /// - Parameters:
    ///   - meter: counts the attempts of this answer.
    ///   - isCounted: false when cache-store is known to be away.
    ///   - deadline: when the fetch is to be over; how long it may wait for its turn, and its calls for being counted,
    ///     follows from it.
    func pass<Result>(
        meter: UpstreamMeter, trace: Trace, isCounted: Bool, deadline: ContinuousClock.Instant,
        _ fetch: (any UpstreamTransport) async throws -> Result
    ) async throws -> Result {
        // Whose turn comes later has no time left for a call.
        let patience = deadline - retry.attemptTimeout
        func passed() async throws -> Result {
            try await self.passed(meter: meter, trace: trace, isCounted: isCounted, patience: patience, fetch)
        }
        guard let slots else { return try await passed() }
        try await slots.take(by: patience)
        do {
            let result = try await passed()
            await slots.give()
            return result
        } catch {
            await slots.give()
            throw error
        }
    }

    private func passed<Result>(
        meter: UpstreamMeter, trace: Trace, isCounted: Bool, patience: ContinuousClock.Instant,
        _ fetch: (any UpstreamTransport) async throws -> Result
    ) async throws -> Result {
        let metered = MeteredTransport(transport, meter: meter)
        guard let quota else { return try await fetch(GuardedTransport(metered, breakers: breakers)) }
        let counted = CountedTransport(base: metered, patience: patience) { deadline in
            if isCounted {
                try await quota.take(trace: trace, deadline: deadline)
            } else {
                try await quota.acquireUncounted()
            }
        }
        do {
            // The breaker comes first: what it refuses costs no call.
            return try await fetch(GuardedTransport(counted, breakers: breakers))
        } catch let error as UpstreamError where error.isDayUsedUp {
            if isCounted { await quota.exhausted(trace: trace) }
            throw error
        }
    }

    /// How the upstream's hosts are, for the service's stats, and which of the others are left alone.
    @Sendable public func health() async -> [UpstreamHealth] {
        let troubled = await others.states.filter { $0.state != .closed }
        return await (breakers.states + troubled).map(UpstreamHealth.init)
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
            at: clock.microseconds, kind: EventKind.breaker(health.state.rawValue), source: source,
            attributes: ["host": .text(health.host), "failuresInARow": .number(health.failuresInARow)])
    }
}
