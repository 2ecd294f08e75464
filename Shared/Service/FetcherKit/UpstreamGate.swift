internal import Contracts
internal import Envelope
public import Logging
public import MessageBus
internal import ProcessKit
public import Upstream

/// Sends the requests of a fetcher to its upstream, after its circuit breakers and the call count.
public struct UpstreamGate: Sendable {
    private let transport: any UpstreamTransport
    private let breakers: CircuitBreakers
    /// Breakers of hosts outside the upstream.
    private let others: CircuitBreakers
    private let quota: QuotaClient?
    private let slots: AsyncSemaphore?
    private let retry: UpstreamRetry

    /// - Parameter concurrency: maximum concurrent fetches.
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

    /// A gate to hosts without a quota, each with its own circuit breaker.
    public func uncounted(over transport: any UpstreamTransport) -> UpstreamGate {
        UpstreamGate(uncounted: transport, breakers: others, retry: retry)
    }

    /// Runs a fetch over a transport whose attempts are counted.
    ///
    /// - Parameters:
    ///   - meter: counts the attempts of this answer.
    ///   - terms: the time limits for its slot and for the call counts follow from the deadline.
    func run<Result>(
        meter: UpstreamMeter, _ terms: FetchTerms, _ fetch: (any UpstreamTransport) async throws -> Result
    ) async throws -> Result {
        // After this moment no time is left for a call.
        let latestStart = terms.deadline - retry.usualAttempt
        func runFetch() async throws -> Result {
            try await runMetered(meter: meter, terms, latestStart: latestStart, fetch)
        }
        guard let slots else { return try await runFetch() }
        try await slots.acquire(by: latestStart)
        do {
            let result = try await runFetch()
            await slots.release()
            return result
        } catch {
            await slots.release()
            throw error
        }
    }

    private func runMetered<Result>(
        meter: UpstreamMeter, _ terms: FetchTerms, latestStart: ContinuousClock.Instant,
        _ fetch: (any UpstreamTransport) async throws -> Result
    ) async throws -> Result {
        let metered = MeteredTransport(transport, meter: meter)
        guard let quota else { return try await fetch(GuardedTransport(metered, breakers: breakers)) }
        let counted = CountedTransport(base: metered, latestStart: latestStart) { deadline in
            if terms.firstCall?.take() == true { return }
            if terms.isCounted {
                try await quota.take(trace: await terms.trace(), deadline: deadline)
            } else {
                try await quota.acquireUncounted()
            }
        }
        do {
            // The breaker is outermost: a call that it refuses is not counted.
            return try await fetch(GuardedTransport(counted, breakers: breakers))
        } catch let error as UpstreamError where error.isDayUsedUp {
            if terms.isCounted { await quota.reportExhausted(trace: await terms.trace()) }
            throw error
        }
    }

    // MARK: The first call of a fetch

    /// The count of the first call, for the request for the lease; then the caller calls `endFirstCall`.
    ///
    /// - Returns: nil when the call would wait or would be refused here: then it is counted before it is made.
    func beginFirstCall() async -> QuotaTakeRequest? {
        guard let quota, let slots, await slots.hasRoom, await breakers.areClosed else { return nil }
        return await quota.begin()
    }

    func endFirstCall(_ take: QuotaTakeRequest, isAnswered: Bool) async {
        await quota?.end(take, isAnswered: isAnswered)
    }

    /// The state of the upstream hosts, and of the other hosts that are not called at present, for the service stats.
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
    /// The circuit breaker of a host changed its state.
    init(_ change: CircuitBreakers.Change, source: String, clock: WallClock) {
        self.init(
            at: clock.microseconds, kind: EventKind(change.state), source: source,
            attributes: ["host": .text(change.host), "failuresInARow": .number(change.failuresInARow)])
    }
}

extension EventKind {
    fileprivate init(_ state: CircuitBreaker.State) {
        self =
            switch state {
            case .closed: .breakerClosed
            case .open: .breakerOpen
            case .halfOpen: .breakerHalfOpen
            }
    }
}
