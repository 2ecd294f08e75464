/// A transport that checks the circuit breaker of the host before each request.
public struct GuardedTransport: UpstreamTransport {
    private let base: any UpstreamTransport
    private let breakers: CircuitBreakers

    public init(_ base: any UpstreamTransport, breakers: CircuitBreakers) {
        self.base = base
        self.breakers = breakers
    }

    /// - Throws: The errors of the base transport, and `unavailable` while the breaker is open.
    public func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
        let host = request.authority
        switch await breakers.requestPermit(for: host) {
        case .refuse(let retryAfter):
            throw UpstreamError.unavailable(request, retryAfter: retryAfter)
        case .call(let permit):
            do {
                let response = try await base.send(request, deadline: deadline)
                await breakers.recordOutcome(response.status >= 500 ? .failed : .answered, of: permit, at: host)
                return response
            } catch let error as UpstreamError {
                await breakers.recordOutcome(error.outcome, of: permit, at: host)
                throw error
            } catch {
                await breakers.recordOutcome(.unknown, of: permit, at: host)
                throw error
            }
        }
    }
}

extension UpstreamError {
    /// What the error states about the host.
    fileprivate var outcome: CircuitBreaker.Outcome {
        switch code {
        case .transport, .timeout: .failed
        // A body that is too large is still an answer.
        case .malformed: .answered
        default: .unknown
        }
    }

    fileprivate static func unavailable(_ request: UpstreamRequest, retryAfter: Duration) -> UpstreamError {
        let seconds = max(1, (retryAfter + .milliseconds(999)).components.seconds)
        return UpstreamError(
            .unavailable,
            "\(request.upstream) at \(request.authority) has not answered lately and is paused for now; it is tried "
                + "again in \(seconds) s.")
    }
}
